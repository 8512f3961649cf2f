// SPDX-License-Identifier: MIT
// studio/form/same_data_set.hpp — a command line and lines of Python that make the data set of a
// scene: the page copies them, and its runs have the same words.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::studio {

/// How the data set of a scene's file is made.
struct DataSetCommand {
  std::filesystem::path file;
  std::string output = "data";                      ///< folder
  std::string format = {}, truth_layout = {};       ///< as of simulate; empty: its default
  bool overwrite = false;                           ///< replace a data set in `output`
  bool resume = false;                              ///< continue a stopped sweep in `output`
  std::optional<std::int64_t> seed = std::nullopt;  ///< of a scene that gives none
};

/// Returns the arguments of the program: "simulate", "scene.toml", "-o", "data".
std::vector<std::string> arguments_of(const DataSetCommand& command);

/// Returns "synthoscope simulate scene.toml -o data". Words are quoted for shells if needed.
std::string command_line_of(const DataSetCommand& command);

/// Returns lines of Python that write the same files. For a scene with [sweep], which the Python
/// package does not simulate, they call the program.
/// @param toml  the text of the file, which need not exist
/// @throws InvalidSpec  the text is not TOML, or its [sweep] is wrong.
std::string python_lines_of(std::string_view toml, const DataSetCommand& command);

}  // namespace synthoscope::studio
