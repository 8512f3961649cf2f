// SPDX-License-Identifier: MIT
// simulator/made_set.hpp — a data set as its scene.json says it was made: what of it is there, and
// what one would ask for to make it again.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include "core/json.hpp"
#include "simulator/pipeline.hpp"
#include "simulator/set_standing.hpp"

namespace synthoscope::simulator {

/// What is wrong with the data set in `folder`; empty where it is whole: every file that its layout
/// names is there with as many bytes as were written, and with the same content if `check` asks for
/// it. Of a set that another version made, every file that its scene.json names.
std::string problem_of_set(const std::filesystem::path& folder, FileCheck check);

/// scene.json of a set that is whole, but for its frames and what it says of files; nothing if none
/// is there.
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
