// SPDX-License-Identifier: MIT
#include "fit/run/camera_errors.hpp"
#include <algorithm>
#include <cmath>
#include <string_view>

namespace synthoscope::fit {
namespace {

const Estimate* estimate_named(const std::vector<Findings>& findings, std::string_view key) {
  for (const Findings& stage : findings)
    for (const Estimate& one : stage.estimates)
      if (one.key == key && one.origin != Origin::given) return &one;
  return nullptr;
}

/// How far an interval extends below and above its value.
struct Margins {
  double below = 0, above = 0;
};

Margins margins_of(const Estimate* estimate) {
  if (estimate == nullptr) return {};
  return {estimate->value - estimate->low, estimate->high - estimate->value};
}

void widen(Estimate& estimate, Margins more) {
  const Margins own = margins_of(&estimate);
  estimate.low = std::max(estimate.value - std::hypot(own.below, more.below), 0.0);
  estimate.high = estimate.value + std::hypot(own.above, more.above);
}

}  // namespace

void widen_by_camera(const simulator::SceneSpec& scene, std::vector<Findings>& findings) {
  const Estimate* const gain = estimate_named(findings, "camera.gain_dn_per_electron");
  const Estimate* const offset = estimate_named(findings, "camera.offset_dn");
  // An unknown gain only divides photons in another way: counts stay
  const bool is_gain_told = gain != nullptr && gain->origin == Origin::measured;
  const Margins of_gain = is_gain_told ? margins_of(gain) : Margins{};
  const double dn_per_photon =
      scene.camera.gain_dn_per_electron * scene.camera.em_gain * scene.camera.quantum_efficiency;
  if (!(dn_per_photon > 0)) return;
  for (Findings& stage : findings) {
    if (stage.stage != Stage::light) continue;
    for (Estimate& one : stage.estimates) {
      if (one.key.find("photons") == std::string::npos) continue;
      const double factor = one.value / scene.camera.gain_dn_per_electron;
      // A larger gain, and a higher offset, mean fewer photons
      widen(one, {factor * of_gain.above, factor * of_gain.below});
      if (one.key != "background.photons_per_pixel") continue;
      const Margins of_offset = margins_of(offset);
      widen(one, {of_offset.above / dn_per_photon, of_offset.below / dn_per_photon});
    }
  }
}

}  // namespace synthoscope::fit
