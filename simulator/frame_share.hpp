// SPDX-License-Identifier: MIT
// simulator/frame_share.hpp — the frames of a data set that several processes make, each some.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/volume/shard.hpp"
#include "simulator/pipeline.hpp"

namespace synthoscope::simulator {

/// While several processes make DIR: what the first decided, and the folder of what each has made.
inline constexpr const char* kShardsEnding = ".shards";
inline constexpr const char* kPartsEnding = ".parts";

/// DIR with an ending, whether it is written with a slash or without; and the folder of a shard.
std::filesystem::path beside(const std::filesystem::path& folder, const char* ending);
std::filesystem::path part_folder(const std::filesystem::path& folder, const Shard& shard);

/// Removes what shards made of `folder`, in whatever number it was ever begun, and nothing else
/// that may lie beside.
void remove_parts(const std::filesystem::path& folder);

/// What a shard did.
struct FrameShareReport {
  std::int64_t seed = 0;
  FrameRange frames;                     ///< its own; none where there are more shards than frames
  std::optional<SimulationReport> made;  ///< absent: its part was whole, or it has no frames
  std::vector<std::int64_t> missing;     ///< shards that have not made theirs yet
  double seconds = 0;
};

/// Makes the frames of one shard in DIR.parts; whoever finds all parts there joins them to DIR. The
/// first process to come decides seed and plans for all. A part that is whole is kept, one that is
/// not begins anew, so that the same shard can be made again at any time. The files are those that
/// one process makes.
/// @throws as simulate; InvalidSpec too where the scene has one frame, where it was begun in
/// another
///         number of shards or as something else, which is told, or where DIR is there as another
///         and `options.overwrite` is not set.
FrameShareReport share_frames(const SceneSpec& scene, const SimulateOptions& options,
                              const Shard& shard, fftconv::Executor& blur,
                              const RunContext& context);

}  // namespace synthoscope::simulator
