// SPDX-License-Identifier: MIT
// simulator/finalize.hpp — what there is of a data set or a sweep that several processes make, and
// the last step of making it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::simulator {

struct Finalized {
  std::int64_t parts = 0;            ///< shards, sets or folders that it is made of
  std::vector<std::string> missing;  ///< those that are not there; without them it is not whole
  bool was_whole = false;            ///< nothing was left to be done
};

/// Of a sweep: writes sweep.csv where all sets are there.
/// @throws InvalidInput  all are there, and nothing says what the table holds.
/// @throws IoError       one process alone is writing it, or the folder cannot be written.
Finalized finalize_sweep(const std::filesystem::path& folder);

/// Of frames that shards make (frame_share.hpp): joins them where all are there. A set that lies
/// there and is another is older, and is replaced with `overwrite`.
/// @throws InvalidInput  nothing says what was begun. @throws IoError
/// @throws InvalidSpec   as join_folders, or what was begun cannot be read.
Finalized finalize_frames(const std::filesystem::path& folder, bool overwrite,
                          const RunContext& context);

/// Joins data sets that `simulate --frames A-B` made of one scene to `output`.
/// @throws InvalidInput  one is no data set that is whole, they are of different scenes, or they do
///                       not have every frame once: says which.
/// @param inputs  the folders, noted before they are read; null: they are not compared at the end
/// @throws InvalidSpec   `output` exists and `overwrite` is not set.
/// @throws imageio::InputChanged  one of `inputs` was changed meanwhile.
Finalized join_folders(const std::filesystem::path& output, bool overwrite,
                       const std::vector<std::filesystem::path>& folders, const RunContext& context,
                       const imageio::InputsAsRead* inputs = nullptr);

}  // namespace synthoscope::simulator
