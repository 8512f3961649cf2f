// SPDX-License-Identifier: MIT
#include "simulator/share/scene_share.hpp"
#include <fmt/format.h>
#include <regex>
#include "core/base/error.hpp"
#include "simulator/data_set/folder.hpp"
#include "simulator/data_set/layout.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/share/frame_share.hpp"
#include "simulator/share/volume_share.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// Returns whether a folder holds only files of a simulation, which a killed process may have left.
bool holds_nothing_foreign(const fs::path& folder) {
  try {
    DataSetFolder::require_free(folder, true, may_be_simulated);
    return true;
  } catch (const InvalidSpec&) {
    return false;
  }
}

/// A process that images a part of a volume does not see all the light that decides the dose.
void require_given_dose(const SceneSpec& scene, const std::optional<std::string>& channel) {
  for (const Channel& one : channels_of(scene, channel))
    if (one.scene.illumination.snr)
      throw InvalidSpec(
          fmt::format("simulate the only frame of a scene in shards: illumination.snr is {}, and "
                      "no shard sees all objects, which decide the dose; simulate it without "
                      "--shard, or give the illumination.dose of a run that found it",
                      *one.scene.illumination.snr));
}

}  // namespace

fs::path path_with_ending(const fs::path& folder, const char* ending) {
  return (folder.has_filename() ? folder : folder.parent_path()).string() + ending;
}

fs::path shard_folder(const fs::path& folder, const Shard& shard) {
  return path_with_ending(folder, kPartsEnding) /
         fmt::format("part-{}-of-{}", shard.number, shard.count);
}

void remove_parts(const fs::path& folder) {
  static const std::regex kParts{
      fmt::format(R"((part-[0-9]+-of-[0-9]+|{})(\.partial)?)", kSharedStacks)};
  const fs::path parts = path_with_ending(folder, kPartsEnding);
  std::error_code ignored;
  std::vector<fs::path> made;
  for (const auto& entry : fs::directory_iterator{parts, ignored})
    if (std::regex_match(entry.path().filename().string(), kParts) &&
        holds_nothing_foreign(entry.path()))
      made.push_back(entry.path());
  for (const fs::path& part : made) fs::remove_all(part, ignored);
  fs::remove(parts, ignored);  // fails if something is in it
}

SceneShareReport share_scene(const SceneSpec& scene, const SimulateOptions& options,
                             const Shard& shard, fftconv::Executor& blur,
                             const RunContext& context) {
  if (scene.frames == 1) require_given_dose(scene, options.channel);
  const auto make = scene.frames == 1 ? make_volume_share : make_frame_share;
  return make(scene, options, shard, blur, context)->run();
}

}  // namespace synthoscope::simulator
