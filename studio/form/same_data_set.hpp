// SPDX-License-Identifier: MIT
// studio/form/same_data_set.hpp — a command line and lines of Python that make the data set of a
// scene, to be copied from the page.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace synthoscope::studio {

/// Returns "synthoscope simulate scene.toml -o data". File names are quoted for shells if needed.
/// @param seed  of a scene that gives none
std::string command_line_of(const std::filesystem::path& file,
                            std::optional<std::int64_t> seed = std::nullopt);

/// Returns lines of Python that write the same files into the folder "data". For a scene with
/// [sweep], which the Python package does not simulate, they call the program.
/// @param toml  the text of `file`, which need not exist
/// @throws InvalidSpec  the text is not TOML, or its [sweep] is wrong.
std::string python_lines_of(std::string_view toml, const std::filesystem::path& file,
                            std::optional<std::int64_t> seed = std::nullopt);

}  // namespace synthoscope::studio
