// SPDX-License-Identifier: MIT
// Where the search for the light begins: values of the keys, and how much is simulated.
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "fit/estimates/robust.hpp"
#include "fit/light/light_case.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kLeastTwinVoxels = 250'000;  ///< at which memory is given up on
constexpr double kMostTwins = 6;
constexpr double kObjectsPerObject = 1, kEnoughObjects = 20;  ///< of twins, for a real one
constexpr double kExpectedSimulations = 16;
constexpr double kClose = 0.3;  ///< a guess off by less (in logarithms) is good enough
constexpr int kMostGuesses = 4;

/// More images of a scene have more objects: as many as time allows.
void choose_images(LightCase& light, double seconds_each) {
  const double wanted = std::max(
      kObjectsPerObject * static_cast<double>(light.sample.objects.size()), kEnoughObjects);
  const double objects = std::max(static_cast<double>(light.twin_sample.objects.size()), 1.0);
  const double in_time = (light.task.seconds - light.seconds()) /
                         (kExpectedSimulations * std::max(seconds_each, 1e-3));
  light.images =
      static_cast<int>(std::clamp(std::ceil(std::min(wanted / objects, in_time)), 1.0, kMostTwins));
}

const BrightnessKey* key_of_zone(const LightCase& light, Zone zone) {
  for (const BrightnessKey& one : light.keys.brightness)
    if (one.zone == zone) return &one;
  return nullptr;
}

/// Gives the membrane the light that it has beside the cytoplasm in the scene to start from. Both
/// shine through each other, so that counts hardly tell them apart.
void let_border_follow_inside(LightCase& light) {
  const BrightnessKey* const border = key_of_zone(light, Zone::border);
  const BrightnessKey* const inside = key_of_zone(light, Zone::inside);
  if (border == nullptr || inside == nullptr) return;
  const double ratio =
      number_of_key(light.start, border->key) / number_of_key(light.start, inside->key);
  set_number(light.scene, border->key, ratio * number_of_key(light.scene, inside->key));
}

}  // namespace

void begin_keys(LightCase& light) {
  if (light.task.is_free("illumination.falloff") && light.scene.illumination.falloff != 0)
    set_number(light.scene, "illumination.falloff", 0);
  if (const char* const key = "medium.emission_length_um";
      light.is_deep && light.task.is_free(key)) {
    light.scene.medium.emission_length_um.reset();  // a clear medium, until objects say otherwise
    light.scene.given.erase(key);
  }
  // As large as it is in the scene, where it must fit into its cell
  if (light.fits_nuclei)
    set_number(light.scene, "cells.nucleus_radius_um",
               simulator::phantom_of(light.scene).cells.nucleus_radius_um);
  const CameraLine line = camera_line(light.scene);
  const VoxelSize& pitch = light.scene.grid.pitch;
  if (light.task.is_free("background.photons_per_pixel")) {
    const Eigen::Index level = place_of(light.real, light_name::kLevel);
    if (level >= 0)
      set_number(light.scene, "background.photons_per_pixel",
                 std::max(light.real.values[level] / line.dn_per_photon, 0.0));
  }
  std::vector<double> sizes;
  for (const LitObject& object : light.sample.objects) sizes.push_back(object.size_um3);
  const double across_um = std::cbrt(robust_median(sizes));
  const double deep_um = std::max(pitch.z_um, std::min(across_um, light.rule.axial_um));
  for (const BrightnessKey& one : light.keys.brightness) {
    const double counts = std::exp(light.real.values[place_of(light.real, name_of(one.zone))]);
    set_number(light.scene, one.key,
               counts / line.dn_per_photon / (pitch.y_um * pitch.x_um * deep_um));
  }
  let_border_follow_inside(light);
  scale_companions(light.start, light.keys, light.scene);
}

void choose_grid(LightCase& light) {
  for (;; light.most_voxels /= 2) try {
      const double before = light.seconds();
      static_cast<void>(simulated_light(light, light.scene));
      choose_images(light, light.seconds() - before);
      return;
    } catch (const PlanError&) {
      if (light.most_voxels <= kLeastTwinVoxels) throw;
    }
}

bool guess(LightCase& light) {
  for (int round = 0; round < kMostGuesses && light.seconds() < light.task.seconds; ++round) {
    static_cast<void>(simulated_light(light, light.scene));
    const CameraLine line = camera_line(light.scene);
    double off = 0, factor = 1;
    const bool has_inside = key_of_zone(light, Zone::inside) != nullptr;
    for (const BrightnessKey& one : light.keys.brightness) {
      if (one.zone == Zone::border && has_inside) continue;
      const Eigen::Index real = place_of(light.real, name_of(one.zone)),
                         twin = place_of(light.twin, name_of(one.zone));
      if (twin < 0) return false;
      const double change =
          std::clamp(light.real.values[real] - light.twin.values[twin], -3.0, 3.0);
      if (light.keys.brightness.size() == 1 || one.zone == Zone::inside) factor = std::exp(change);
      off = std::max(off, std::abs(change));
      set_number(light.scene, one.key, number_of_key(light.scene, one.key) * std::exp(change));
    }
    let_border_follow_inside(light);
    scale_companions(light.start, light.keys, light.scene);
    if (light.fits_background()) {
      const double seen = light.twin.values[place_of(light.twin, light_name::kLevel)],
                   own = light.scene.background_photons * line.dn_per_photon;
      const double haze = std::max(seen - own, 0.0) * factor;
      const double level = light.real.values[place_of(light.real, light_name::kLevel)] - haze;
      set_number(light.scene, "background.photons_per_pixel",
                 std::max(level / line.dn_per_photon, 0.0));
    }
    if (off < kClose) break;
  }
  return true;
}

}  // namespace synthoscope::fit
