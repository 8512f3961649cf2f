// SPDX-License-Identifier: MIT
// tools/start/examples.hpp — the example scenes, which are a part of the program.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::tools {

/// A file of the folder examples/, as it was when the program was built.
struct ExampleFile {
  std::string_view name;  ///< path in that folder, such as "first.toml" or "textures/tissue.toml"
  std::string_view text;
};

/// All scenes and the files that they name, by name. The build writes it (embed_examples.cmake).
std::vector<ExampleFile> example_files();

/// Returns the names of all example scenes, "first" before the others.
std::vector<std::string> example_names();

/// The name under which all examples are written.
inline constexpr std::string_view kAllExamples = "all";

/// Returns the file of a scene, and then the files that it names; for kAllExamples all files.
/// @param name  as in example_names, in any case, or with ".toml"
/// @throws InvalidSpec  there is no example of this name; names the nearest.
std::vector<ExampleFile> files_of_example(std::string_view name);

/// Returns the first sentence of the comment at the top of a scene, without its full stop.
std::string about_of(std::string_view scene);

}  // namespace synthoscope::tools
