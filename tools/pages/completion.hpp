// SPDX-License-Identifier: MIT
// tools/pages/completion.hpp — how shells complete command lines, from the option tables.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// For `shell` bash, zsh or fish: commands, options, the words an option knows, files and folders.
/// @throws InvalidSpec  another shell
std::string completion_script(std::string_view shell);

// One shell each
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

// What may follow the words of a command line, whichever shell asks

/// What follows an option.
enum class Follows { nothing, text, words, files, folders };

Follows follows(const Option& option);

/// The words in "N|auto|none" that are typed literally: auto and none.
std::vector<std::string> fixed_words(std::string_view value);

struct NextWord {
  std::string word, help;
};

/// Words that lead to a command: at the start, after words, after plan.
struct NextWords {
  std::string said;  ///< "words"
  std::vector<NextWord> words;
};
std::vector<NextWords> next_words();

/// "plan": the words of another command follow it.
std::vector<std::string> commands_before_commands();

}  // namespace synthoscope::tools
