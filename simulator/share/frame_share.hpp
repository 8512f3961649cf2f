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

/// Endings that exist while several processes make DIR: the file with what the first one decided,
/// and the folder with what each has made.
inline constexpr const char* kShardsEnding = ".shards";
inline constexpr const char* kPartsEnding = ".parts";

/// Return DIR with an ending, whether it is written with a slash or without, and the folder of a
/// shard.
std::filesystem::path path_with_ending(const std::filesystem::path& folder, const char* ending);
std::filesystem::path shard_folder(const std::filesystem::path& folder, const Shard& shard);

/// Removes what shards made of `folder`, for any number of shards that it was begun with, and
/// nothing else next to it.
void remove_parts(const std::filesystem::path& folder);

/// What a shard did.
struct FrameShareReport {
  std::int64_t seed = 0;
  FrameRange frames;  ///< of this shard; none if there are more shards than frames
  std::optional<SimulationReport> made;  ///< absent: its part was whole before, or has no frames
  std::vector<std::int64_t> missing;     ///< shards that have not made their frames yet
  double seconds = 0;
};

/// Makes the frames of one shard in DIR.parts; the process that finds all parts there joins them to
/// DIR. The first process decides seed and plans for all. A part that is whole is kept, any other
/// is made again from its start, so that a shard can be repeated at any time. One process alone
/// would make the same files.
/// @throws as simulate; also InvalidSpec if the scene has one frame, if the set was begun with
///         another number of shards or another request (says what differs), or if DIR exists as
///         another set and `options.overwrite` is not set.
FrameShareReport share_frames(const SceneSpec& scene, const SimulateOptions& options,
                              const Shard& shard, fftconv::Executor& blur,
                              const RunContext& context);

}  // namespace synthoscope::simulator
