// SPDX-License-Identifier: MIT
// The keys of the light that are moved together, and what they are matched to.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "core/base/error.hpp"
#include "fit/light/light_case.hpp"
#include "fit/matching/match.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

using simulator::SceneSpec;

constexpr double kPriorOfLight = 0.7;
/// Of the light of membranes: before an image is seen, it may be a seventh of what it is beside the
/// cytoplasm in the scene to start from, or seven times as much.
constexpr double kPriorOfMembrane = 1;

std::vector<FittedKey> fitted_keys(const LightCase& light) {
  std::vector<FittedKey> keys;
  for (const BrightnessKey& one : light.keys.brightness) {
    const double value = number_of_key(light.scene, one.key);
    keys.push_back({one.key,
                    {},
                    true,
                    value / 30,
                    value * 30,
                    one.zone == Zone::border ? kPriorOfMembrane : kPriorOfLight,
                    "counts of objects above their surroundings, beside those of twins"});
  }
  if (light.fits_nuclei) {
    const double most = simulator::largest_nucleus_radius_um(light.scene.cells);
    keys.push_back({"cells.nucleus_radius_um",
                    {},
                    true,
                    most / 5,
                    most,
                    0.3,
                    "from the share of cells that is bright"});
  }
  if (light.fits_background()) {
    const double objects =
        std::exp(
            light.real.values[place_of(light.real, name_of(light.keys.brightness.front().zone))]) /
        camera_line(light.scene).dn_per_photon;
    const double value = light.scene.background_photons;
    keys.push_back({"background.photons_per_pixel",
                    {},
                    false,
                    0,
                    10 * (value + objects),
                    std::max(0.3 * (value + objects), 0.01),
                    "counts far from labels, without the haze that twins have there"});
  }
  if (light.fits_falloff)
    keys.push_back({"illumination.falloff",
                    {},
                    false,
                    0,
                    0.95,
                    0.2,
                    "background and objects from the middle of the field to its corners"});
  if (light.fits_depth) {
    const double value = *light.scene.medium.emission_length_um;
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

/// Names of what tells the brightness keys. How bright a zone is beside another one varies less
/// from object to object than the brightness of either.
std::vector<std::string_view> names_of_brightness(const std::vector<BrightnessKey>& keys) {
  const bool has_inside = std::any_of(
      keys.begin(), keys.end(), [](const BrightnessKey& one) { return one.zone == Zone::inside; });
  std::vector<std::string_view> names;
  for (const BrightnessKey& one : keys)
    names.push_back(has_inside && one.zone != Zone::inside ? relative_name_of(one.zone)
                                                           : name_of(one.zone));
  return names;
}

std::vector<std::string_view> matched_names(const LightCase& light) {
  std::vector<std::string_view> names = names_of_brightness(light.keys.brightness);
  if (light.fits_nuclei) names.push_back(light_name::kBrightShare);
  if (light.fits_background()) names.push_back(light_name::kLevel);
  const auto add = [&](bool is_asked, std::string_view name) {
    if (is_asked && light.has(name)) names.push_back(name);
  };
  add(light.fits_falloff, light_name::kBackgroundFalloff);
  add(light.fits_falloff, light_name::kObjectFalloff);
  add(light.fits_depth, light_name::kDepthEffect);
  return names;
}

/// A falloff that the images do not tell would darken everything else that is found.
bool takes_falloff_back(LightCase& light, const Matched& matched) {
  const bool is_untold =
      std::any_of(matched.estimates.begin(), matched.estimates.end(), [](const Estimate& one) {
        return one.key == "illumination.falloff" && one.origin == Origin::assumed;
      });
  if (!is_untold) return false;
  light.fits_falloff = false;
  set_number(light.scene, "illumination.falloff", 0);
  light.found.untold.emplace_back(
      "Light may fall off towards the corners, but background and objects do not tell how much: "
      "the scene has no falloff.");
  return true;
}

}  // namespace

void match_light(LightCase& light) {
  const auto names = matched_names(light);
  MatchRequest request;
  request.keys = fitted_keys(light);
  request.wanted = selected(light.real, names);
  request.wanted.units = static_cast<double>(light.sample.objects.size());
  request.simulate = [&](const SceneSpec& scene) {
    const Statistics all = simulated_light(light, scene);
    for (const std::string_view name : names)
      if (place_of(all, name) < 0) throw InvalidSpec(fmt::format("a twin shows no {}", name));
    return selected(all, names);
  };
  request.seconds = 0.85 * light.task.seconds - light.seconds();
  Matched matched = match(light.scene, request, light.task.twins.context());
  if (takes_falloff_back(light, matched)) return match_light(light);
  say_if_unfinished(matched, "the light", light.found);
  light.found.compared = std::move(matched.compared);
  light.scene = matched.scene;
  scale_companions(light.start, light.keys, light.scene);
  for (Estimate& estimate : matched.estimates) {
    estimate.unit = simulator::find_key(estimate.key)->unit;
    const bool is_brightness =
        std::any_of(light.keys.brightness.begin(), light.keys.brightness.end(),
                    [&](const BrightnessKey& one) { return one.key == estimate.key; });
    if (is_brightness) estimate.high *= std::exp(light.hidden_loss);
    light.found.estimates.push_back(std::move(estimate));
  }
}

}  // namespace synthoscope::fit
