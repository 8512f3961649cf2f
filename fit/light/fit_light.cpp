// SPDX-License-Identifier: MIT
#include "fit/light/fit_light.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include "core/base/error.hpp"
#include "fit/estimates/robust.hpp"
#include "fit/light/light_plots.hpp"
#include "fit/light/uneven_light.hpp"
#include "fit/matching/match.hpp"
#include "fit/twin/smaller_scene.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

using simulator::SceneSpec;

constexpr std::int64_t kMostTwinVoxels = 4'000'000;  ///< of a simulated image
constexpr std::int64_t kLeastTwinVoxels = 250'000;   ///< at which memory is given up on
constexpr double kMostTwins = 6;
constexpr double kObjectsPerObject = 1, kEnoughObjects = 20;  ///< of twins, for a real one
constexpr double kExpectedSimulations = 16;
constexpr double kSignificantLight = 3;  ///< standard errors of a falloff or an attenuation
constexpr double kClose = 0.3;           ///< a guess off by less (in logarithms) is good enough
constexpr int kMostGuesses = 4;

/// One run of the stage: what it knows, and its steps.
class LightFit {
 public:
  LightFit(const StageTask& task, SceneSpec& scene)
      : task_{task}, scene_{scene}, begin_{std::chrono::steady_clock::now()} {
    found_.stage = Stage::light;
  }
  Findings run();

 private:
  [[nodiscard]] std::string why_not() const;
  void measure_real();
  void measure_real_statistics();
  void begin_keys();
  void choose_grid();
  void choose_images(double seconds_each);
  bool guess();
  void decide_falloff();
  bool takes_falloff_back(const Matched& matched);
  void decide_depth();
  void match_light();
  void find_unevenness();
  void say_untold();
  void plot();
  [[nodiscard]] SceneSpec twin_scene(const SceneSpec& scene) const;
  [[nodiscard]] Statistics simulated(const SceneSpec& scene);
  [[nodiscard]] std::optional<double> difference(std::string_view name, double& variance) const;
  [[nodiscard]] std::vector<FittedKey> fitted_keys() const;
  [[nodiscard]] std::vector<std::string_view> matched_names() const;
  [[nodiscard]] bool has(std::string_view name) const {
    return place_of(real_, name) >= 0 && place_of(twin_, name) >= 0;
  }
  [[nodiscard]] bool fits_background() const {
    return task_.is_free("background.photons_per_pixel") && has(light_name::kLevel);
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  const StageTask& task_;
  SceneSpec& scene_;
  std::chrono::steady_clock::time_point begin_;
  Findings found_;
  LightRule rule_;
  LightKeys keys_;
  std::int64_t most_voxels_ = kMostTwinVoxels;
  int images_ = 1;
  bool fits_falloff_ = false, fits_depth_ = false, is_deep_ = false;
  SceneSpec start_;     ///< for companions
  LightSample sample_;  ///< of the real images
  FieldFit field_;      ///< of the real images
  Statistics real_;
  LightSample twin_sample_;  ///< of the last simulation, which was even
  Statistics twin_;
};

/// Why the stage cannot find anything; empty if it can.
std::string LightFit::why_not() const {
  if (!task_.real.front().has_counts() || !task_.real.front().has_labels())
    return "the light of objects is measured within their labels, and there are none; give "
           "--labels, from any segmentation";
  if (scene_.illumination.snr)
    return "illumination.snr sets the light of the scene; leave it out, so that brightness can be "
           "fitted";
  if (keys_.brightness.empty())
    return "the scene has no kind of objects whose light is free; give one with --scene, and leave "
           "its keys of photons free";
  return {};
}

void LightFit::measure_real() {
  MemoryBudget& memory = task_.twins.context().memory;
  for (const LabelledImage& image : task_.real) {
    const Reservation held =
        memory.reserve(light_bytes(image.grid.extent, rule_), "distances from labels");
    rule_.far_widths = std::min(rule_.far_widths,
                                far_widths_within(squared_widths_from_labels(image, rule_), rule_));
  }
  for (const LabelledImage& image : task_.real) {
    const Reservation held =
        memory.reserve(light_bytes(image.grid.extent, rule_), "distances from labels");
    add_light(image, rule_, sample_);
  }
  std::vector<double> heights;
  for (const LitObject& object : sample_.objects) heights.push_back(object.z_um);
  // Attenuation shows where middles of objects differ by more than the PSF is long
  is_deep_ = !task_.real.front().is_plane() && robust_deviation(heights) > rule_.axial_um / 2;
}

void LightFit::measure_real_statistics() {
  field_ = fit_field(sample_.tiles, rule_.falloff);
  real_ = all_light_statistics(sample_, rule_, field_.shape, is_deep_, camera_line(scene_).dark_dn);
}

SceneSpec LightFit::twin_scene(const SceneSpec& scene) const {
  SceneSpec part = smaller_scene(even_scene(scene, keys_.table), most_voxels_);
  scale_companions(start_, keys_, part);
  return part;
}

Statistics LightFit::simulated(const SceneSpec& scene) {
  LightTwin twin{task_.twins, rule_, field_.shape, is_deep_, task_.seed};
  twin.images = images_;
  const SceneSpec part = twin_scene(scene);
  twin_sample_ = twin.sample(part);
  twin_ =
      all_light_statistics(twin_sample_, rule_, field_.shape, is_deep_, camera_line(part).dark_dn);
  return twin_;
}

/// Gives free keys a value to begin with: brightness as if every voxel of an object gave its
/// counts.
void LightFit::begin_keys() {
  if (task_.is_free("illumination.falloff") && scene_.illumination.falloff != 0)
    set_number(scene_, "illumination.falloff", 0);
  const CameraLine line = camera_line(scene_);
  const VoxelSize& pitch = scene_.grid.pitch;
  if (task_.is_free("background.photons_per_pixel")) {
    const Eigen::Index level = place_of(real_, light_name::kLevel);
    if (level >= 0)
      set_number(scene_, "background.photons_per_pixel",
                 std::max(real_.values[level] / line.dn_per_photon, 0.0));
  }
  std::vector<double> sizes;
  for (const LitObject& object : sample_.objects) sizes.push_back(object.size_um3);
  const double across_um = std::cbrt(robust_median(sizes));
  const double deep_um = std::max(pitch.z_um, std::min(across_um, rule_.axial_um));
  for (const BrightnessKey& one : keys_.brightness) {
    const double counts = std::exp(real_.values[place_of(real_, name_of(one.zone))]);
    set_number(scene_, one.key, counts / line.dn_per_photon / (pitch.y_um * pitch.x_um * deep_um));
  }
  scale_companions(start_, keys_, scene_);
}

/// Simulates the first twin, on a grid that fits into memory.
void LightFit::choose_grid() {
  for (;; most_voxels_ /= 2) try {
      const double before = seconds();
      static_cast<void>(simulated(scene_));
      choose_images(seconds() - before);
      return;
    } catch (const PlanError&) {
      if (most_voxels_ <= kLeastTwinVoxels) throw;
    }
}

/// More images of a scene have more objects: as many as time allows.
void LightFit::choose_images(double seconds_each) {
  const double wanted =
      std::max(kObjectsPerObject * static_cast<double>(sample_.objects.size()), kEnoughObjects);
  const double objects = std::max(static_cast<double>(twin_sample_.objects.size()), 1.0);
  const double in_time =
      (task_.seconds - seconds()) / (kExpectedSimulations * std::max(seconds_each, 1e-3));
  images_ =
      static_cast<int>(std::clamp(std::ceil(std::min(wanted / objects, in_time)), 1.0, kMostTwins));
}

/// Brings background and brightness close: counts are proportional to light. Returns false if
/// twins show no objects.
bool LightFit::guess() {
  for (int round = 0; round < kMostGuesses && seconds() < task_.seconds; ++round) {
    static_cast<void>(simulated(scene_));
    const CameraLine line = camera_line(scene_);
    double off = 0, factor = 1;
    for (const BrightnessKey& one : keys_.brightness) {
      const Eigen::Index real = place_of(real_, name_of(one.zone)),
                         twin = place_of(twin_, name_of(one.zone));
      if (twin < 0) return false;
      const double change = std::clamp(real_.values[real] - twin_.values[twin], -3.0, 3.0);
      if (keys_.brightness.size() == 1 || one.zone == Zone::inside) factor = std::exp(change);
      off = std::max(off, std::abs(change));
      set_number(scene_, one.key, number_of_key(scene_, one.key) * std::exp(change));
    }
    scale_companions(start_, keys_, scene_);
    if (fits_background()) {
      const double seen = twin_.values[place_of(twin_, light_name::kLevel)],
                   own = scene_.background_photons * line.dn_per_photon;
      const double haze = std::max(seen - own, 0.0) * factor;
      const double level = real_.values[place_of(real_, light_name::kLevel)] - haze;
      set_number(scene_, "background.photons_per_pixel", std::max(level / line.dn_per_photon, 0.0));
    }
    if (off < kClose) break;
  }
  return true;
}

std::optional<double> LightFit::difference(std::string_view name, double& variance) const {
  const Eigen::Index real = place_of(real_, name), twin = place_of(twin_, name);
  if (real < 0 || twin < 0) return std::nullopt;
  variance = real_.covariance(real, real) + twin_.covariance(twin, twin);
  return real_.values[real] - twin_.values[twin];
}

/// Decides from background and objects together whether light falls off towards the corners.
void LightFit::decide_falloff() {
  if (!task_.is_free("illumination.falloff") || scene_.illumination.flat_field) {
    if (scene_.illumination.falloff == 0) rule_.falloff = false;
  } else {
    double weights = 0, sum = 0;
    const auto add = [&](std::string_view name, double scale) {
      double variance = 0;
      const auto change = difference(name, variance);
      if (!change || scale <= 0) return;
      const double weight = scale * scale / std::max(variance, 1e-12);
      weights += weight;
      sum -= weight * *change / scale;
    };
    add(light_name::kBackgroundFalloff,
        scene_.background_photons * camera_line(scene_).dn_per_photon);
    add(light_name::kObjectFalloff, 1);
    const double error = weights > 0 ? 1 / std::sqrt(weights) : 1, falloff = error * error * sum;
    fits_falloff_ = weights > 0 && falloff > kSignificantLight * error;
    if (fits_falloff_) {
      set_number(scene_, "illumination.falloff", std::clamp(falloff, 0.01, 0.9));
      return;
    }
    rule_.falloff = false;
    Estimate none;
    none.key = "illumination.falloff";
    none.high = std::min(std::max(falloff, 0.0) + 2 * error, 1.0);
    none.how =
        "neither background nor objects get darker towards the corners of the field than by chance";
    found_.estimates.push_back(none);
  }
}

/// Decides whether objects get darker with depth.
void LightFit::decide_depth() {
  double variance = 0;
  const auto change = difference(light_name::kDepthEffect, variance);
  const char* const key = "medium.emission_length_um";
  if (!change || !task_.is_free(key)) return;
  // What is there is no attenuation, or too little of it: it counts as scatter
  const bool is_clear = std::abs(*change) > kSignificantLight * std::sqrt(variance);
  const bool rises = scene_.optics.cover_glass == simulator::CoverGlass::above;
  if (!is_clear) {
    is_deep_ = false;
    found_.untold.push_back(fmt::format(
        "Objects are no darker at depth than by chance, so the medium weakens no light: a length "
        "below {:.3g} um would have been seen.",
        1 / (std::abs(*change) + 2 * std::sqrt(variance))));
  } else if ((*change > 0) != rises) {
    is_deep_ = false;
    found_.untold.push_back(
        "Objects get darker towards the cover glass, which no attenuation explains: check "
        "optics.cover_glass.");
  } else {
    fits_depth_ = true;
    set_number(scene_, key, 1 / std::abs(*change));
  }
}

std::vector<FittedKey> LightFit::fitted_keys() const {
  std::vector<FittedKey> keys;
  for (const BrightnessKey& one : keys_.brightness) {
    const double value = number_of_key(scene_, one.key);
    keys.push_back({one.key,
                    {},
                    true,
                    value / 30,
                    value * 30,
                    0.7,
                    "counts of objects above their surroundings, beside those of twins"});
  }
  if (fits_background()) {
    const double objects =
        std::exp(real_.values[place_of(real_, name_of(keys_.brightness.front().zone))]) /
        camera_line(scene_).dn_per_photon;
    const double value = scene_.background_photons;
    keys.push_back({"background.photons_per_pixel",
                    {},
                    false,
                    0,
                    10 * (value + objects),
                    std::max(0.3 * (value + objects), 0.01),
                    "counts far from labels, without the haze that twins have there"});
  }
  if (fits_falloff_)
    keys.push_back({"illumination.falloff",
                    {},
                    false,
                    0,
                    0.95,
                    0.2,
                    "background and objects from the middle of the field to its corners"});
  if (fits_depth_) {
    const double value = *scene_.medium.emission_length_um;
    keys.push_back({"medium.emission_length_um",
                    {},
                    true,
                    value / 30,
                    value * 30,
                    0.7,
                    "brightness of objects at different depths"});
  }
  return keys;
}

std::vector<std::string_view> LightFit::matched_names() const {
  std::vector<std::string_view> names;
  for (const BrightnessKey& one : keys_.brightness) names.push_back(name_of(one.zone));
  if (fits_background()) names.push_back(light_name::kLevel);
  const auto add = [&](bool is_asked, std::string_view name) {
    if (is_asked && has(name)) names.push_back(name);
  };
  add(fits_falloff_, light_name::kBackgroundFalloff);
  add(fits_falloff_, light_name::kObjectFalloff);
  add(fits_depth_, light_name::kDepthEffect);
  return names;
}

/// A falloff that the images do not tell would darken everything else that is found.
bool LightFit::takes_falloff_back(const Matched& matched) {
  const bool is_untold =
      std::any_of(matched.estimates.begin(), matched.estimates.end(), [](const Estimate& one) {
        return one.key == "illumination.falloff" && one.origin == Origin::assumed;
      });
  if (!is_untold) return false;
  fits_falloff_ = false;
  set_number(scene_, "illumination.falloff", 0);
  found_.untold.emplace_back(
      "Light may fall off towards the corners, but background and objects do not tell how much: "
      "the scene has no falloff.");
  return true;
}

void LightFit::match_light() {
  const auto names = matched_names();
  MatchRequest request;
  request.keys = fitted_keys();
  request.wanted = selected(real_, names);
  request.wanted.units = static_cast<double>(sample_.objects.size());
  request.simulate = [&](const SceneSpec& scene) {
    const Statistics all = simulated(scene);
    for (const std::string_view name : names)
      if (place_of(all, name) < 0) throw InvalidSpec(fmt::format("a twin shows no {}", name));
    return selected(all, names);
  };
  request.seconds = 0.85 * task_.seconds - seconds();
  Matched matched = match(scene_, request, task_.twins.context());
  if (takes_falloff_back(matched)) return match_light();
  scene_ = matched.scene;
  scale_companions(start_, keys_, scene_);
  for (Estimate& estimate : matched.estimates) {
    estimate.unit = simulator::find_key(estimate.key)->unit;
    found_.estimates.push_back(std::move(estimate));
  }
}

void LightFit::find_unevenness() {
  // Falloff is known by now, and multiplies what else is uneven
  const CameraLine line = camera_line(scene_);
  const double falloff = scene_.illumination.falloff;
  const LightSample flat = without_falloff(sample_, falloff, line.dark_dn),
                    flat_twin = without_falloff(twin_sample_, falloff, line.dark_dn);
  LightRule even = rule_;
  even.falloff = falloff == 0 && rule_.falloff;
  const auto with_background = [&](const LightSample& sample, const Statistics& all) {
    const Statistics background = background_statistics(sample, even, field_.shape, line.dark_dn);
    std::vector<std::string_view> names;
    for (const std::string& name : all.names)
      if (place_of(background, name) < 0 && name != light_name::kBackgroundFalloff)
        names.push_back(name);
    return names.empty() ? background : joined(background, selected(all, names));
  };
  field_ = fit_field(flat.tiles, even.falloff);
  const FieldFit even_field = fit_field(flat_twin.tiles, even.falloff);
  const Statistics real = with_background(flat, real_),
                   twin_all = with_background(flat_twin, twin_);
  const UnevenLight light{real,
                          twin_all,
                          field_,
                          even_field,
                          scene_.background_photons * line.dn_per_photon,
                          static_cast<double>(sample_.objects.size())};
  find_gradient(light, task_, scene_, found_);
  find_field(light, task_, scene_, found_);
  find_grain(light, task_, scene_, found_);
  LightTwin twin{task_.twins, rule_, field_.shape, is_deep_, task_.seed};
  twin.images = images_;
  SceneSpec part = twin_scene(scene_);
  find_spread(light, keys_, twin, task_, part, found_);
  for (const Estimate& estimate : found_.estimates)
    if (estimate.key.starts_with(keys_.table + ".intensity") &&
        estimate.value != number_of_key(scene_, estimate.key))
      set_number(scene_, estimate.key, estimate.value);
}

void LightFit::say_untold() {
  if (!has(light_name::kLevel))
    found_.untold.push_back(
        "The background is not told: labels leave no place far from objects; it stays as it was.");
  else if (task_.is_free("camera.offset_dn"))
    found_.untold.push_back(fmt::format(
        "The background is told only up to the camera's offset: they are one number in an image, "
        "and the offset is taken as {:.4g} DN; give camera.offset_dn, from a dark image.",
        scene_.camera.offset_dn));
  if (task_.is_free("camera.quantum_efficiency"))
    found_.untold.push_back(fmt::format(
        "Photons are told only up to gain times quantum efficiency, which is taken as {:.3g}; "
        "counts do not depend on it.",
        scene_.camera.quantum_efficiency));
  if (sample_.objects.size() < 5)
    found_.untold.push_back(fmt::format(
        "There {} only {}: how objects differ in brightness is hardly told.",
        sample_.objects.size() == 1 ? "is" : "are",
        sample_.objects.size() == 1 ? "one object"
                                    : fmt::format("{} objects", sample_.objects.size())));
  if (!keys_.companions.empty())
    found_.untold.push_back(fmt::format(
        "How the light of [{}] is divided among its structures is not told: all of its keys of "
        "photons change by the same factor.",
        keys_.table));
  else if (keys_.has_more_kinds)
    found_.untold.push_back(fmt::format(
        "Only the light of [{}] is fitted; that of other kinds of objects stays as it was.",
        keys_.table));
}

/// Compares with the finished scene.
void LightFit::plot() {
  if (seconds() > task_.seconds) return;
  LightTwin twin{task_.twins, rule_, field_.shape, is_deep_, task_.seed};
  found_.plots = light_plots(sample_, twin.sample(smaller_scene(scene_, most_voxels_)));
}

Findings LightFit::run() {
  keys_ = light_keys_of(scene_, task_);
  found_.refusal = why_not();
  if (!found_.refusal.empty()) return found_;
  start_ = scene_;
  rule_ = light_rule_of(scene_);
  rule_.zones = keys_.brightness.front().zone != Zone::whole;
  measure_real();
  measure_real_statistics();
  std::vector<double> counts;
  for (const LitObject& object : sample_.objects) counts.push_back(object.counts[0]);
  if (robust_median(counts) <= 0 || place_of(real_, name_of(keys_.brightness.front().zone)) < 0) {
    found_.refusal =
        "labelled objects are not brighter than what is next to them, or too small to measure; "
        "give fluorescence images and the labels of what is bright in them";
    return found_;
  }
  begin_keys();
  choose_grid();
  if (!guess()) {
    found_.refusal =
        "twins of the scene show no objects that are large enough to measure; fit shapes before, "
        "or give them with --scene";
    return found_;
  }
  static_cast<void>(simulated(scene_));
  decide_falloff();
  decide_depth();
  measure_real_statistics();
  match_light();
  find_unevenness();
  say_untold();
  plot();
  return found_;
}

}  // namespace

Findings fit_light(const StageTask& task, SceneSpec& scene) {
  return LightFit{task, scene}.run();
}

}  // namespace synthoscope::fit
