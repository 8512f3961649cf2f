// SPDX-License-Identifier: MIT
// What weakens light: falloff towards the corners of the field, and attenuation with depth.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include "fit/estimates/robust.hpp"
#include "fit/light/light_case.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kSignificantLight = 3;  ///< standard errors of a falloff or an attenuation

std::optional<double> difference(const LightCase& light, std::string_view name, double& variance) {
  const Eigen::Index real = place_of(light.real, name), twin = place_of(light.twin, name);
  if (real < 0 || twin < 0) return std::nullopt;
  variance = light.real.covariance(real, real) + light.twin.covariance(twin, twin);
  return light.real.values[real] - light.twin.values[twin];
}

/// Notes what an attenuation of up to `most` per um would hide.
/// @param rises  the face towards the objective is at the last plane
void allow_for_hidden_loss(double most, bool rises, LightCase& light) {
  std::vector<double> heights;
  for (const LitObject& object : light.sample.objects) heights.push_back(object.z_um);
  const simulator::Grid& grid = light.task.real.front().grid;
  const double middle = robust_median(heights),
               height = static_cast<double>(grid.extent.z) * grid.pitch.z_um;
  const simulator::SceneSpec& scene = light.scene;
  const double above = scene.medium.depth_um.value_or(scene.optics.depth_um);
  light.hidden_loss = most * (above + (rises ? height - middle : middle));
  light.hidden_spread = most * robust_deviation(std::move(heights));
}

}  // namespace

void decide_falloff(LightCase& light) {
  if (!light.task.is_free("illumination.falloff") || light.scene.illumination.flat_field) {
    if (light.scene.illumination.falloff == 0) light.rule.falloff = false;
  } else {
    double weights = 0, sum = 0;
    const auto add = [&](std::string_view name, double scale) {
      double variance = 0;
      const auto change = difference(light, name, variance);
      if (!change || scale <= 0) return;
      const double weight = scale * scale / std::max(variance, 1e-12);
      weights += weight;
      sum -= weight * *change / scale;
    };
    add(light_name::kBackgroundFalloff,
        light.scene.background_photons * camera_line(light.scene).dn_per_photon);
    add(light_name::kObjectFalloff, 1);
    const double error = weights > 0 ? 1 / std::sqrt(weights) : 1, falloff = error * error * sum;
    light.fits_falloff = weights > 0 && falloff > kSignificantLight * error;
    if (light.fits_falloff) {
      set_number(light.scene, "illumination.falloff", std::clamp(falloff, 0.01, 0.9));
      return;
    }
    light.rule.falloff = false;
    Estimate none;
    none.key = "illumination.falloff";
    none.high = std::min(std::max(falloff, 0.0) + 2 * error, 1.0);
    none.how =
        "neither background nor objects get darker towards the corners of the field than by chance";
    light.found.estimates.push_back(none);
  }
}

void decide_depth(LightCase& light) {
  double variance = 0;
  const auto change = difference(light, light_name::kDepthEffect, variance);
  const char* const key = "medium.emission_length_um";
  if (!change || !light.task.is_free(key)) return;
  // What is there is no attenuation, or too little of it: it counts as scatter
  const bool is_clear = std::abs(*change) > kSignificantLight * std::sqrt(variance);
  const bool rises = light.scene.optics.cover_glass == simulator::CoverGlass::above;
  if (!is_clear) {
    light.is_deep = false;
    const double most = (rises ? 1 : -1) * *change + 2 * std::sqrt(variance);
    allow_for_hidden_loss(std::max(most, 0.0), rises, light);
    light.found.untold.push_back(fmt::format(
        "Objects are no darker at depth than by chance, so that the medium weakens no light; if it "
        "does, by a length above {:.3g} um, they are brighter and more alike: their intervals "
        "allow for "
        "it.",
        1 / std::max(most, 1e-6)));
  } else if ((*change > 0) != rises) {
    light.is_deep = false;
    light.found.untold.push_back(
        "Objects get darker towards the cover glass, which no attenuation explains: check "
        "optics.cover_glass.");
  } else {
    light.fits_depth = true;
    set_number(light.scene, key, 1 / std::abs(*change));
  }
}

}  // namespace synthoscope::fit
