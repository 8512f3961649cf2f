// SPDX-License-Identifier: MIT
// simulator/share/data_set_record.hpp — a data set as its scene.json describes it: whether it is
// whole, and the options that would make it again.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include "core/base/json.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/share/data_set_state.hpp"

namespace synthoscope::simulator {

/// Returns what is wrong with the data set in `folder`; empty if it is whole. It is whole if every
/// file of its layout has the size that was written and, if `check` asks for it, the same content.
/// For a set that a different version made, the files are those that its scene.json names.
std::string problem_of_data_set(const std::filesystem::path& folder, FileCheck check);

/// Returns scene.json of a whole set without its frames and its list of files; nothing if there is
/// no whole set.
std::optional<Json> record_of_set(const std::filesystem::path& folder, FileCheck check);

struct DataSetRecord {
  SceneSpec scene;          ///< with its seed
  SimulateOptions options;  ///< directory, layout, format and frames; no plans
  Json record;              ///< scene.json without its frames, and sizes and hashes of files
};

/// @throws InvalidInput  there is no whole data set, or its version is different: says what is
///                       wrong.
DataSetRecord read_data_set_record(const std::filesystem::path& folder);

}  // namespace synthoscope::simulator
