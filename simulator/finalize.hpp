// SPDX-License-Identifier: MIT
// simulator/finalize.hpp — which parts exist of a data set or a sweep that several processes make,
// and the last step of making it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::simulator {

struct Finalized {
  std::int64_t parts = 0;  ///< shards, sets or folders that the result is made of
  std::vector<std::string>
      missing;             ///< parts that do not exist; the result is not complete without them
  bool was_whole = false;  ///< the result was complete before
};

/// Finalizes a sweep: writes sweep.csv if all sets exist.
/// @throws InvalidInput  all sets exist, but no record says what the table holds.
/// @throws IoError       a single process is writing the sweep, or the folder cannot be written.
Finalized finalize_sweep(const std::filesystem::path& folder);

/// Finalizes frames that shards make (scene_share.hpp): joins them if all exist. A different data
/// set under the final name is taken for an older one, and is replaced if `overwrite` is set.
/// @throws InvalidInput  there is no record of what was begun, or what shards imaged of a volume is
///                       all there, which only `share_scene` completes. @throws IoError
/// @throws InvalidSpec   as join_folders, or the record cannot be read.
Finalized finalize_frames(const std::filesystem::path& folder, bool overwrite,
                          const RunContext& context);

/// Joins data sets that `simulate --frames A-B` made of one scene to `output`.
/// @param inputs  the folders, noted before they are read, to be compared at the end; null: they
///                are not compared
/// @throws InvalidInput  a folder is no whole data set, the sets are of different scenes, or they
///                       do not have every frame once: says which.
/// @throws InvalidSpec   `output` exists and `overwrite` is not set.
/// @throws imageio::InputChanged  one of `inputs` was changed meanwhile.
Finalized join_folders(const std::filesystem::path& output, bool overwrite,
                       const std::vector<std::filesystem::path>& folders, const RunContext& context,
                       const imageio::InputsAsRead* inputs = nullptr);

}  // namespace synthoscope::simulator
