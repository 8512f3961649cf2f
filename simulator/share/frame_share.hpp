// SPDX-License-Identifier: MIT
// simulator/share/frame_share.hpp — a data set whose frames are shared among several processes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/volume/shard.hpp"
#include "simulator/run/pipeline.hpp"

namespace synthoscope::simulator {

/// Endings of names that exist while several processes make DIR: the file with the decisions of the
/// first process, and the folder with the frames of each shard.
inline constexpr const char* kShardsEnding = ".shards";
inline constexpr const char* kPartsEnding = ".parts";

/// Returns `folder` with `ending`, without a slash between them: "movie/" gives movie.parts.
std::filesystem::path path_with_ending(const std::filesystem::path& folder, const char* ending);

/// Returns the folder in which a shard of `folder` is made.
std::filesystem::path shard_folder(const std::filesystem::path& folder, const Shard& shard);

/// Removes the folders of all shards of `folder`, whatever their number, and nothing else next to
/// it.
void remove_parts(const std::filesystem::path& folder);

/// The result of a shard.
struct FrameShareReport {
  std::int64_t seed = 0;
  FrameRange frames;  ///< of this shard; none if there are more shards than frames
  std::optional<SimulationReport> made;  ///< absent: its frames were made before, or it has none
  std::vector<std::int64_t> missing;     ///< shards that have not made their frames yet
  double seconds = 0;
};

/// Makes the frames of one shard in DIR.parts; the process that finds all shards finished joins
/// them to DIR. The first process decides seed and plans for all. A finished shard is kept, and an
/// unfinished one is made again from its start, so that a shard can be repeated at any time. The
/// files are those that one process alone would make.
/// @throws as simulate; also InvalidSpec if the scene has one frame, if the set was begun with
///         another number of shards or another request (says what differs), or if DIR exists as
///         another set and `options.overwrite` is not set.
FrameShareReport share_frames(const SceneSpec& scene, const SimulateOptions& options,
                              const Shard& shard, fftconv::Executor& blur,
                              const RunContext& context);

}  // namespace synthoscope::simulator
