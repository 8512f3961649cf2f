// SPDX-License-Identifier: MIT
#include "fit/light/light_rule.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::fit {
namespace {

constexpr double kWidthOfDeviation = 2.3548200450309493;  ///< of a Gaussian, at half maximum

double lateral_deviation_um(const simulator::OpticsSpec& optics) {
  return 0.21 * optics.wavelength_nm / 1000 / optics.na;
}

}  // namespace

double grain_length_um(const simulator::SceneSpec& scene) {
  return std::hypot(scene.background.grain_um, std::sqrt(2.0) * lateral_deviation_um(scene.optics));
}

LightRule light_rule_of(const simulator::SceneSpec& scene) {
  const simulator::OpticsSpec& optics = scene.optics;
  const double n = optics.immersion_index, na = std::min(optics.na, 0.999 * n);
  // A pixel is the least that a mask resolves
  const auto& pitch = scene.grid.pitch;
  const double pixel_um = std::max(pitch.y_um, pitch.x_um);
  LightRule rule;
  rule.lateral_um = std::max(kWidthOfDeviation * lateral_deviation_um(optics), pixel_um);
  rule.axial_um =
      std::max(0.88 * optics.wavelength_nm / 1000 / (n - std::sqrt(n * n - na * na)), pitch.z_um);
  rule.apart = static_cast<std::int64_t>(std::ceil(3 * grain_length_um(scene) / pixel_um)) + 1;
  return rule;
}

}  // namespace synthoscope::fit
