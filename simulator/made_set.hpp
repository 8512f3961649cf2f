// SPDX-License-Identifier: MIT
// simulator/made_set.hpp — a data set as its scene.json says it was made: what of it is there, and
// what one would ask for to make it again.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include "core/base/json.hpp"
#include "simulator/pipeline.hpp"
#include "simulator/set_standing.hpp"

namespace synthoscope::simulator {

/// What is wrong with the data set in `folder`; empty if it is whole. It is whole if every file of
/// its layout has the size that was written and, if `check` asks for it, the same content. For a
/// set of another version, the files are those that its scene.json names.
std::string problem_of_set(const std::filesystem::path& folder, FileCheck check);

/// scene.json of a whole set without its frames and its list of files; nothing if there is no set.
std::optional<Json> record_of_set(const std::filesystem::path& folder, FileCheck check);

struct MadeSet {
  SceneSpec scene;          ///< with its seed
  SimulateOptions options;  ///< directory, layout, format and frames; no plans
  Json record;              ///< scene.json but for its frames and the sizes of files
};

/// @throws InvalidInput  it is no data set that is whole, or one of another version: says what is
///                       wrong.
MadeSet read_made_set(const std::filesystem::path& folder);

}  // namespace synthoscope::simulator
