// SPDX-License-Identifier: MIT
// simulator/share/scene_share.hpp — a data set that several processes make together: each some of
// its frames, or a part of the volume of its only frame.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/base/stopwatch.hpp"
#include "core/volume/shard.hpp"
#include "simulator/run/pipeline.hpp"

namespace synthoscope::simulator {

/// Endings of names that exist while several processes make DIR: the file with the decisions of the
/// first process, and the folder with what each shard made.
inline constexpr const char* kShardsEnding = ".shards";
inline constexpr const char* kPartsEnding = ".parts";

/// Returns `folder` with `ending`, without a slash between them: "movie/" gives movie.parts.
std::filesystem::path path_with_ending(const std::filesystem::path& folder, const char* ending);

/// Returns the folder in which a shard of `folder` is made.
std::filesystem::path shard_folder(const std::filesystem::path& folder, const Shard& shard);

/// Removes what all shards of `folder` made, whatever their number, and nothing else next to it.
void remove_parts(const std::filesystem::path& folder);

/// The result of a shard.
struct SceneShareReport {
  std::int64_t seed = 0;
  bool are_frames =
      true;             ///< what is shared: frames, or otherwise steps of the blur of the only one
  Interval own;         ///< of this shard; none if there are more shards than that
  bool is_kept = true;  ///< it was made before, or there is nothing to make
  Stages stages;        ///< of what was made now
  std::vector<std::int64_t> missing;  ///< shards that have not made their share yet
  double seconds = 0;
};

/// Makes the share of one shard in DIR.parts; the process that finds all shards finished joins
/// them to DIR. The first process decides seed and plans for all. A finished shard is kept, and an
/// unfinished one is made again from its start, so that a shard can be repeated at any time. The
/// files are those that one process alone would make with these plans.
///
/// Frames are shared if there are several. Of one frame, every shard blurs and records its steps,
/// next to its own PSFs and objects; the last one makes labels, tables and preview.
/// @throws as simulate; also InvalidSpec if a scene of one frame has a plan of one step, or files
///         that processes cannot write together, if the set was begun with another number of shards
///         or another request (says what differs), or if DIR exists as another set and
///         `options.overwrite` is not set.
SceneShareReport share_scene(const SceneSpec& scene, const SimulateOptions& options,
                             const Shard& shard, fftconv::Executor& blur,
                             const RunContext& context);

}  // namespace synthoscope::simulator
