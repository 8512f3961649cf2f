// SPDX-License-Identifier: MIT
#include "studio/run/estimate.hpp"
#include <system_error>
#include <vector>
#include "core/base/json.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"

namespace synthoscope::studio {
namespace {

using simulator::SceneSpec;

// Bytes of a voxel; labels have 4 in scenes of more than 65535 objects, which are rare
constexpr std::int64_t kLabel = 2, kCount = 2, kPhotons = 4, kLight = 4, kPsf = 4;

/// Returns the bytes of the stacks of all frames, without PSFs.
std::int64_t bytes_of_frames(const SceneSpec& scene) {
  const std::int64_t voxels = volume(scene.grid.extent);
  const bool has_parts = has_structures(phantom_of(scene), sample_grid(scene));
  std::int64_t bytes = voxels * kLabel * (has_parts ? 2 : 1);
  for (const simulator::Channel& channel : channels_of(scene)) {
    const auto camera = binned(scene.grid, channel.scene.camera.binning);
    bytes += voxels * (kPhotons + (scene.output.light ? kLight : 0));
    bytes += volume(camera.extent) * kCount;
  }
  return bytes * scene.frames;
}

std::int64_t bytes_of_psfs(const SceneSpec& scene, const fftconv::Machine& machine,
                           const RunContext& context) {
  std::int64_t bytes = 0;
  for (const fftconv::Plan& plan : plan_simulation(scene, machine, context, {}))
    bytes += volume(plan.problem.kernel) * kPsf;
  return bytes;
}

}  // namespace

Json estimate_json(std::string_view toml, const std::filesystem::path& file,
                   const fftconv::Machine& machine, const RunContext& context) {
  const simulator::SweepSpec sweep = simulator::parse_sweep(toml, file);
  const SceneSpec scene = simulator::parse_scene_of_sweep(toml, file);
  std::vector<SceneSpec> scenes;
  if (sweep.is_empty())
    scenes.push_back(scene);
  else
    for (const simulator::SweepSet& set : sets_of(scene, sweep, 0)) scenes.push_back(set.scene);
  const auto sets = static_cast<std::int64_t>(scenes.size());
  std::int64_t bytes = sets * bytes_of_psfs(scenes.front(), machine, context);
  for (const SceneSpec& one : scenes) bytes += bytes_of_frames(one);
  std::error_code ignored;
  const auto disk = std::filesystem::space(file.parent_path(), ignored);
  const SceneSpec& first = scenes.front();
  const auto extent = binned(first.grid, channels_of(first).front().scene.camera.binning).extent;
  return {{"frames", first.frames}, {"channels", channels_of(first).size()},
          {"sets", sets},           {"image", {extent.z, extent.y, extent.x}},
          {"bytes", bytes},         {"free_bytes", static_cast<std::int64_t>(disk.available)}};
}

}  // namespace synthoscope::studio
