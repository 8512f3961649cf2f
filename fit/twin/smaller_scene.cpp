// SPDX-License-Identifier: MIT
#include "fit/twin/smaller_scene.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

double sample_volume(const simulator::SceneSpec& scene) {
  return static_cast<double>(volume(simulator::sample_grid(scene).extent));
}

/// The default number of nuclei is the same for every field, and so must be given.
void give_number_of_nuclei(simulator::SceneSpec& scene) {
  if (scene.nuclei.count || scene.nuclei.density_per_mm3) return;
  const std::int64_t number = simulator::number_of_kind<simulator::kinds::Nuclei>(
      simulator::phantom_of(scene), simulator::sample_grid(scene));
  if (number > 0) scene.nuclei.count = number;
}

void scale_numbers(simulator::SceneSpec& scene, double factor) {
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    if (key.name != "count" || key.kind != simulator::ValueKind::integer) continue;
    const simulator::SceneValue value = key.get(scene);
    const auto* const number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || *number == 0) continue;
    const std::int64_t scaled = std::llround(factor * static_cast<double>(*number));
    key.set(scene, std::max<std::int64_t>(scaled, 1));
  }
}

}  // namespace

simulator::SceneSpec smaller_scene(const simulator::SceneSpec& scene, std::int64_t most_voxels,
                                   std::int64_t least_side) {
  simulator::SceneSpec result = scene;
  Extent3& extent = result.grid.extent;
  const double side = std::sqrt(static_cast<double>(most_voxels) / static_cast<double>(extent.z));
  // Whole numbers of binned pixels
  const std::int64_t bin = scene.camera.binning;
  const std::int64_t most = std::max(static_cast<std::int64_t>(side), least_side) / bin * bin;
  if (extent.y <= most && extent.x <= most) return result;
  give_number_of_nuclei(result);
  const double before = sample_volume(result);
  extent.y = std::min(extent.y, most);
  extent.x = std::min(extent.x, most);
  scale_numbers(result, sample_volume(result) / before);
  return result;
}

}  // namespace synthoscope::fit
