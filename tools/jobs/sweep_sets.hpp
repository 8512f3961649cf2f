// SPDX-License-Identifier: MIT
// tools/jobs/sweep_sets.hpp — the data sets of a sweep, for commands that are given its folder.
#pragma once
#include <filesystem>
#include <string_view>
#include "core/base/json_fwd.hpp"

namespace synthoscope::tools {

/// Returns whether a folder holds a sweep of data sets.
bool is_sweep(const std::filesystem::path& folder);

/// @throws InvalidSpec  `folder` is a sweep, and `command` takes one data set: names one.
void require_no_sweep(std::string_view command, const std::filesystem::path& folder);

/// Returns what sweep.json says, with `"made": bool` in each of its "sets".
/// @throws InvalidInput  it is not one that simulate writes.  @throws IoError  it cannot be read.
Json sweep_json(const std::filesystem::path& folder);

/// Returns the sets of sweep_json() as rows: folder, seed, repeat, the swept keys, made or not.
std::string sweep_text(const std::filesystem::path& folder, const Json& sweep);

}  // namespace synthoscope::tools
