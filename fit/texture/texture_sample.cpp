// SPDX-License-Identifier: MIT
#include "fit/texture/texture_sample.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "fit/shapes/object_kind.hpp"
#include "fit/twin/smaller_scene.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

using simulator::SceneSpec;

constexpr std::int64_t kLeastSide = 64;    ///< pixels of a field
constexpr double kLeastSideInObjects = 3;  ///< the same in diameters of objects
constexpr double kMostFilled = 0.15;       ///< of the volume of a sample, by making it denser

struct BodySize {
  double volume_um3 = 0, shadow_um2 = 0;
};

/// Of a mean object, as if it were an ellipsoid.
BodySize body_size(const SceneSpec& scene, ObjectKind kind) {
  const double radius = number_at(scene, key_of(kind, "radius_um"));
  const auto ratio = [&](int axis) { return number_at(scene, key_of(kind, "axis_ratios"), axis); };
  const double unit = std::cbrt(ratio(0) * ratio(1) * ratio(2));
  return {4.0 / 3 * std::numbers::pi * radius * radius * radius,
          std::numbers::pi * radius * radius * ratio(1) * ratio(2) / (unit * unit)};
}

}  // namespace

SceneSpec texture_sample(const SceneSpec& scene, double objects, const Crowding& crowding) {
  const auto kind = fitted_kind(scene);
  if (!kind || *kind == ObjectKind::adherent) return scene;
  SceneSpec sample = scene;
  for (const char* name : {"background.gradient", "background.field_deviation"})
    give_number(sample, name, 0);
  give_number(sample, key_of(*kind, "clustering"), 0);
  sample.margin_um.y_um = sample.margin_um.x_um = 0;
  const double depth_um = simulator::size_um(simulator::sample_grid(sample))[0];
  const BodySize body = body_size(scene, *kind);
  if (scene.grid.extent.z == 1 && crowding.is_whole)
    give_word(sample, key_of(*kind, "border"), "inside");
  const double now = density_of(scene, *kind);
  const double dense =
      std::min(crowding.share / (depth_um * body.shadow_um2), kMostFilled / body.volume_um3);
  const double density = std::max(now, dense);
  const double side_um = std::max(std::sqrt(objects / (density * depth_um)),
                                  kLeastSideInObjects * std::sqrt(body.shadow_um2));
  const double pixel_um = std::sqrt(scene.grid.pitch.y_um * scene.grid.pitch.x_um);
  const auto side = static_cast<std::int64_t>(std::ceil(side_um / pixel_um));
  sample = smaller_scene(sample, side * side * scene.grid.extent.z, kLeastSide);
  give_density(sample, *kind, density);
  return sample;
}

}  // namespace synthoscope::fit
