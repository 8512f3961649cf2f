// SPDX-License-Identifier: MIT
#include "fit/light/fit_light.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "fit/estimates/robust.hpp"
#include "fit/light/light_case.hpp"
#include "fit/light/light_plots.hpp"
#include "fit/light/light_twin.hpp"
#include "fit/light/uneven_light.hpp"
#include "fit/twin/smaller_scene.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

using simulator::SceneSpec;

/// Why the stage cannot find anything; empty if it can.
std::string why_not(const LightCase& light) {
  if (!light.task.real.front().has_counts() || !light.task.real.front().has_labels())
    return "the light of objects is measured within their labels, and there are none; give "
           "--labels, from any segmentation";
  if (light.scene.illumination.snr)
    return "illumination.snr sets the light of the scene; leave it out, so that brightness can be "
           "fitted";
  if (light.keys.brightness.empty())
    return "the scene has no kind of objects whose light is free; give one with --scene, and leave "
           "its keys of photons free";
  return {};
}

void find_unevenness(LightCase& light) {
  // Falloff is known by now, and multiplies what else is uneven
  const CameraLine line = camera_line(light.scene);
  const double falloff = light.scene.illumination.falloff;
  const LightSample flat = without_falloff(light.sample, falloff, line.dark_dn),
                    flat_twin = without_falloff(light.twin_sample, falloff, line.dark_dn);
  LightRule even = light.rule;
  even.falloff = falloff == 0 && light.rule.falloff;
  const auto with_background = [&](const LightSample& sample, const Statistics& all) {
    const Statistics background =
        background_statistics(sample, even, light.field.shape, line.dark_dn);
    std::vector<std::string_view> names;
    for (const std::string& name : all.names)
      if (place_of(background, name) < 0 && name != light_name::kBackgroundFalloff)
        names.push_back(name);
    return names.empty() ? background : joined(background, selected(all, names));
  };
  light.field = fit_field(flat.tiles, even.falloff);
  const FieldFit even_field = fit_field(flat_twin.tiles, even.falloff);
  const Statistics real = with_background(flat, light.real),
                   twin_all = with_background(flat_twin, light.twin);
  const UnevenLight uneven{real,
                           twin_all,
                           light.field,
                           even_field,
                           light.scene.background_photons * line.dn_per_photon,
                           static_cast<double>(light.sample.objects.size())};
  find_gradient(uneven, light.task, light.scene, light.found);
  find_field(uneven, light.task, light.scene, light.found);
  find_grain(uneven, light.task, light.scene, light.found);
  LightTwin twin{light.task.twins, light.rule, light.field.shape, light.is_deep, light.task.seed};
  twin.images = light.images;
  SceneSpec part = light_twin_scene(light, light.scene);
  find_spread(uneven, light.keys, twin, light.task, part, light.found);
  for (Estimate& estimate : light.found.estimates)
    if (estimate.key == light.keys.table + ".intensity_spread")
      estimate.low =
          std::sqrt(std::max(std::pow(estimate.low, 2) - std::pow(light.hidden_spread, 2), 0.0));
  for (const Estimate& estimate : light.found.estimates)
    if (estimate.key.starts_with(light.keys.table + ".intensity") &&
        estimate.value != number_of_key(light.scene, estimate.key))
      set_number(light.scene, estimate.key, estimate.value);
}

void say_untold(LightCase& light) {
  if (!light.has(light_name::kLevel))
    light.found.untold.push_back(
        "The background is not told: labels leave no place far from objects; it stays as it was.");
  else if (light.task.is_free("camera.offset_dn"))
    light.found.untold.push_back(fmt::format(
        "The background is told only up to the camera's offset: they are one number in an image, "
        "and the offset is taken as {:.4g} DN; give camera.offset_dn, from a dark image.",
        light.scene.camera.offset_dn));
  if (light.task.is_free("camera.quantum_efficiency"))
    light.found.untold.push_back(fmt::format(
        "Photons are told only up to gain times quantum efficiency, which is taken as {:.3g}; "
        "counts do not depend on it.",
        light.scene.camera.quantum_efficiency));
  if (light.sample.objects.size() < 5)
    light.found.untold.push_back(fmt::format(
        "There {} only {}: how objects differ in brightness is hardly told.",
        light.sample.objects.size() == 1 ? "is" : "are",
        light.sample.objects.size() == 1 ? "one object"
                                         : fmt::format("{} objects", light.sample.objects.size())));
  if (!light.keys.companions.empty())
    light.found.untold.push_back(fmt::format(
        "How the light of [{}] is divided among its structures is not told: all of its keys of "
        "photons change by the same factor.",
        light.keys.table));
  else if (light.keys.has_more_kinds)
    light.found.untold.push_back(fmt::format(
        "Only the light of [{}] is fitted; that of other kinds of objects stays as it was.",
        light.keys.table));
}

/// Compares with the finished scene.
void plot(LightCase& light) {
  if (light.seconds() > light.task.seconds) return;
  LightTwin twin{light.task.twins, light.rule, light.field.shape, light.is_deep, light.task.seed};
  light.found.plots =
      light_plots(light.sample, twin.sample(smaller_scene(light.scene, light.most_voxels)));
}

}  // namespace

Findings fit_light(const StageTask& task, SceneSpec& scene) {
  LightCase light{task, scene, {}};
  light.found.stage = Stage::light;
  light.keys = light_keys_of(light.scene, light.task);
  light.found.refusal = why_not(light);
  if (!light.found.refusal.empty()) return light.found;
  light.start = light.scene;
  light.rule = light_rule_of(light.scene);
  light.rule.zones = light.keys.brightness.front().zone != Zone::whole;
  measure_real_light(light);
  measure_real_statistics(light);
  std::vector<double> counts;
  for (const LitObject& object : light.sample.objects) counts.push_back(object.counts[0]);
  if (robust_median(counts) <= 0 ||
      place_of(light.real, name_of(light.keys.brightness.front().zone)) < 0) {
    light.found.refusal =
        "labelled objects are not brighter than what is next to them, or too small to measure; "
        "give fluorescence images and the labels of what is bright in them";
    return light.found;
  }
  light.fits_nuclei = shows_nuclei_of_cells(light.scene, light.keys, light.task);
  begin_keys(light);
  choose_grid(light);
  if (!guess(light)) {
    light.found.refusal =
        "twins of the scene show no objects that are large enough to measure; fit shapes before, "
        "or give them with --scene";
    return light.found;
  }
  static_cast<void>(simulated_light(light, light.scene));
  decide_falloff(light);
  decide_depth(light);
  measure_real_statistics(light);
  match_light(light);
  find_unevenness(light);
  say_untold(light);
  plot(light);
  return light.found;
}

}  // namespace synthoscope::fit
