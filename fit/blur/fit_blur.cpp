// SPDX-License-Identifier: MIT
#include "fit/blur/fit_blur.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include "fit/blur/blur_keys.hpp"
#include "fit/blur/blur_plan.hpp"
#include "fit/blur/blur_plots.hpp"
#include "fit/blur/blur_statistics.hpp"
#include "fit/edges/label_outset.hpp"
#include "fit/matching/match.hpp"
#include "fit/twin/smaller_scene.hpp"

namespace synthoscope::fit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFarStep = 0.1;                 ///< in priors
constexpr double kClearHalo = 3;                 ///< standard errors by which a halo must differ
constexpr double kTellingWidth = 0.1;            ///< relative: an interval that is no wider tells
constexpr std::int64_t kMostVoxels = 3'000'000;  ///< of one simulation
constexpr std::int64_t kMostImages = 6;          ///< that a simulation averages
constexpr int kMostSimulations = 30;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Makes twins of a small scene, and measures them as the real images.
class Twins {
 public:
  Twins(const StageTask& task, const BlurMeasure& measure) : task_{task}, measure_{measure} {}

  /// Chooses the number of images: twice as many objects as the real images have, if time allows.
  void choose_images(const simulator::SceneSpec& scene, const BlurSamples& real) {
    const Clock::time_point begin = Clock::now();
    const std::size_t wanted = samples_in(real), found = samples_in(samples(scene));
    const double each = std::max(seconds_since(begin), 1e-3);
    const double needed = std::ceil(2 * static_cast<double>(wanted) /
                                    static_cast<double>(std::max<std::size_t>(found, 1)));
    const double affordable = task_.seconds / (kMostSimulations * each);
    images_ = static_cast<std::int64_t>(
        std::clamp(std::min(needed, affordable), 1.0, static_cast<double>(kMostImages)));
  }

  /// Returns the statistics of a scene; those of optics that were simulated before are kept.
  [[nodiscard]] Statistics statistics(const simulator::SceneSpec& scene) {
    const simulator::OpticsSpec& o = scene.optics;
    const Moved keys{o.na,          o.sheet_waist_um, o.shift.z_um, scene.nuclei.squareness,
                     o.glare_share, o.glare_um};
    const auto [found, is_new] = known_.try_emplace(keys);
    if (is_new) found->second = blur_statistics(samples(scene), measure_);
    return found->second;
  }

  [[nodiscard]] BlurSamples samples(const simulator::SceneSpec& scene) const {
    BlurSamples all;
    for (std::int64_t i = 0; i < images_; ++i)
      add_samples(task_.twins.image(scene, task_.seed + i), measure_, task_.twins.context(), all);
    return all;
  }

  [[nodiscard]] std::int64_t images() const { return images_; }

 private:
  static std::size_t samples_in(const BlurSamples& samples) {
    return samples.lateral.size() + samples.axial.size() + samples.points.size() +
           samples.tiles.size();
  }

  using Moved = std::array<double, 6>;  ///< all keys that this stage moves

  const StageTask& task_;
  const BlurMeasure& measure_;
  std::int64_t images_ = 1;
  std::map<Moved, Statistics> known_;
};

bool is_halo_different(const Statistics& real, const Statistics& twin) {
  for (Eigen::Index i = 0; i < real.values.size(); ++i) {
    if (!real.names[static_cast<std::size_t>(i)].starts_with("halo")) continue;
    const double error = std::sqrt(real.covariance(i, i) + twin.covariance(i, i)) + 1e-3;
    if (std::abs(real.values[i] - twin.values[i]) > kClearHalo * error) return true;
  }
  return false;
}

/// The larger part of an interval above or below the value, relative to it: a limit of the key may
/// cut the other part.
double relative_width(const Estimate& estimate) {
  return std::log(std::max(estimate.high / estimate.value, estimate.value / estimate.low));
}

void say_what_is_untold(const BlurMeasure& measure, const simulator::SceneSpec& scene,
                        const std::vector<Estimate>& estimates, Findings& found) {
  const bool is_spectrum = !measure.points && measure.reach == 0 && measure.axial_reach == 0;
  found.untold.push_back(
      fmt::format("Blur depends on the aperture over the wavelength: {} nm is taken as known "
                  "(optics.wavelength_nm), as are the refractive indices.",
                  scene.optics.wavelength_nm));
  if (is_spectrum)
    found.untold.push_back(
        "There are no labels with clear edges and no isolated points, so that a blurred image and "
        "a smooth texture look alike: give labels, or a measured PSF (--psf).");
  for (const Estimate& one : estimates)
    if (one.key == "optics.na" && relative_width(one) > kTellingWidth)
      found.untold.push_back(
          fmt::format("These images tell the aperture only to {:.0f} %; give --set optics.na= if "
                      "it is known.",
                      100 * relative_width(one)));
  if (measure.reach > 0)
    found.untold.push_back(
        "Edges are soft by optics, by shapes that slope along z, and by labels whose border "
        "trembles; "
        "a plane alone does not tell an object out of focus from a smaller aperture.");
}

/// Copies the keys to the scene, with those that are told only together with others. A focus that
/// is not told stays as it was: it began away from the truth on purpose.
void take_over(const std::vector<FittedKey>& keys, const simulator::SceneSpec& fitted,
               simulator::SceneSpec& scene, std::vector<Estimate>& estimates) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Estimate& estimate = estimates[i];
    const bool is_told = estimate.origin == Origin::measured;
    if (!is_told && is_focus(keys[i])) {
      estimate.value = value_of(scene, keys[i]);
      estimate.low = std::min(estimate.low, estimate.value);
      estimate.high = std::max(estimate.high, estimate.value);
      estimate.how = "images do not tell it, so that it stays as it was";
      continue;
    }
    set_value(scene, keys[i], value_of(fitted, keys[i]));
    if (!is_told)
      estimate.how = "images tell it poorly, or only together with other keys that soften edges";
  }
}

/// Whether a key has moved by more than noise would move it: then light is another one, too.
bool have_moved(const std::vector<FittedKey>& keys, const simulator::SceneSpec& before,
                const simulator::SceneSpec& after) {
  return std::any_of(keys.begin(), keys.end(), [&](const FittedKey& key) {
    const double step =
        position_of(key, value_of(after, key)) - position_of(key, value_of(before, key));
    return std::abs(step) > kFarStep * key.prior;
  });
}

void say_outset(double outset_um, bool are_rough, Findings& found) {
  if (outset_um == 0) return;
  found.untold.push_back(fmt::format(
      "{} drawn {:.2g} um {} the edges that the image shows, beside those of twins, whose labels "
      "are exact.",
      are_rough ? "The rough labels are" : "Labels are", std::abs(outset_um),
      outset_um > 0 ? "inside of" : "outside of"));
}

}  // namespace

Findings fit_blur(const StageTask& task, simulator::SceneSpec& scene) {
  Findings found;
  found.stage = Stage::blur;
  const Clock::time_point begin = Clock::now();
  if (scene.optics.model == simulator::PsfModel::file) {
    found.untold.push_back("The PSF is a measured one (optics.file): it is kept as it is.");
    return found;
  }
  const RunContext& context = task.twins.context();
  const BlurMeasure measure = plan_blur_measure(task.real, scene, context);
  if (measure.is_empty()) {
    found.refusal =
        "there are no isolated points and no labels with clear edges, and signal exceeds noise in "
        "fewer than four bands of the spectrum, so that the images do not tell the optics";
    return found;
  }
  BlurSamples real;
  for (const LabelledImage& image : task.real) add_samples(image, measure, context, real);

  // Compare with the scene as it is: is its halo another one?
  simulator::SceneSpec start = smaller_scene(scene, kMostVoxels);
  Twins twins{task, measure};
  twins.choose_images(start, real);
  MatchRequest request;
  request.wanted = blur_statistics(real, measure);
  add_unlikeness(measure, request.wanted);
  const bool with_halo =
      measure.halo_rings > 0 &&
      (scene.optics.glare_share > 0 || is_halo_different(request.wanted, twins.statistics(start)));

  const std::vector<FittedKey> keys = blur_keys(task, scene, measure, with_halo);
  leave_focus(keys, start);
  request.keys = keys;
  request.simulate = [&](const simulator::SceneSpec& one) { return twins.statistics(one); };
  request.most_simulations = kMostSimulations;
  request.seconds = task.seconds - seconds_since(begin);
  const Matched matched = match(start, request, context);

  const simulator::SceneSpec before = scene;
  found.estimates = matched.estimates;
  found.compared = matched.compared;
  take_over(keys, matched.scene, scene, found.estimates);
  found.changes_light = have_moved(keys, before, scene);
  say_what_is_untold(measure, scene, found.estimates, found);
  say_if_unfinished(matched, "the optics", found);
  const BlurSamples of_twin = twins.samples(matched.scene);
  if (task.real.front().is_plane())
    found.label_outset_um = scene.grid.pitch.x_um * clear_outset(real.lateral, of_twin.lateral);
  say_outset(found.label_outset_um, task.real.front().are_labels_rough, found);
  found.plots = blur_plots(real, of_twin, measure, scene.grid.pitch);
  return found;
}

}  // namespace synthoscope::fit
