// SPDX-License-Identifier: MIT
// fit/light/light_case.hpp — one fit of the light: what it knows, and its steps in their order.
#pragma once
#include <chrono>
#include <cstdint>
#include <string_view>
#include "fit/estimates/findings.hpp"
#include "fit/light/light_keys.hpp"
#include "fit/light/light_statistics.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

inline constexpr std::int64_t kMostTwinVoxels = 4'000'000;  ///< of a simulated image

struct LightCase {
  const StageTask& task;
  simulator::SceneSpec& scene;  ///< as it is fitted
  Findings found;
  LightRule rule = {};
  LightKeys keys = {};
  std::int64_t most_voxels = kMostTwinVoxels;
  int images = 1;  ///< twins of each scene
  bool fits_falloff = false, fits_depth = false;
  bool fits_nuclei = false;  ///< the size of those of cells, which give light
  bool is_deep = false;      ///< objects lie at depths that differ by more than the PSF
  /// What an attenuation that is too weak to be seen may do, in logarithms of brightness: how much
  /// brighter objects are than they look, and the spread that it adds.
  double hidden_loss = 0, hidden_spread = 0;
  simulator::SceneSpec start = {};  ///< for companions
  LightSample sample = {};          ///< of the real images
  FieldFit field = {};              ///< of the real images
  Statistics real = {};
  LightSample twin_sample = {};  ///< of the last simulation, which was even
  Statistics twin = {};
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

  /// Returns whether real images and twins both have a statistic.
  [[nodiscard]] bool has(std::string_view name) const {
    return place_of(real, name) >= 0 && place_of(twin, name) >= 0;
  }
  [[nodiscard]] bool fits_background() const {
    return task.is_free("background.photons_per_pixel") && has(light_name::kLevel);
  }
  /// Returns the time since the fit began.
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
};

/// Measures tiles and objects of the real images, and whether objects lie at different depths.
void measure_real_light(LightCase& light);

/// Computes the statistics of what was measured: anew, once it is known what is fitted.
void measure_real_statistics(LightCase& light);

/// Returns the scene that twins are simulated of: evenly lit, and as small as is quick.
simulator::SceneSpec light_twin_scene(const LightCase& light, const simulator::SceneSpec& scene);

/// Simulates twins of a scene, and returns their statistics, which `light` keeps.
Statistics simulated_light(LightCase& light, const simulator::SceneSpec& scene);

/// Gives free keys a value to begin with: brightness as if every voxel of an object gave its
/// counts.
void begin_keys(LightCase& light);

/// Simulates the first twin, on a grid that fits into memory, and chooses how many are simulated.
void choose_grid(LightCase& light);

/// Brings background and brightness close: counts are proportional to light. Returns false if
/// twins show no objects.
bool guess(LightCase& light);

/// Decides from background and objects together whether light falls off towards the corners.
void decide_falloff(LightCase& light);

/// Decides whether objects get darker with depth.
void decide_depth(LightCase& light);

/// Moves the keys until twins agree with the real images.
void match_light(LightCase& light);

}  // namespace synthoscope::fit
