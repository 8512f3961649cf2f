// SPDX-License-Identifier: MIT
// tools/pages/completion.hpp — scripts by which shells complete command lines, from the option
// tables.
#pragma once
#include <string>
#include <string_view>

namespace synthoscope::tools {

/// For `shell` bash, zsh or fish: commands, options, the words an option knows, files and folders.
/// @throws InvalidSpec  another shell
std::string completion_script(std::string_view shell);

// One shell each
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace synthoscope::tools
