// SPDX-License-Identifier: MIT
// tools/pages/reference.hpp — the help of the whole program: reference pages in Markdown, and
// manual pages.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// Commands and what else is understood, one line each.
std::string program_help();

/// Their names, one a line.
std::string command_list();

/// What is understood without a command: --version and others.
OptionTable program_options();

/// The environment variables that the program reads, with their meanings.
std::vector<std::pair<std::string_view, std::string_view>> environment_variables();

/// Of a summary, without its full stop.
std::string_view first_sentence(std::string_view text);

/// Prints the commands whose names begin with `name`, such as words.
std::string family_help(std::string_view name);

/// The page docs/reference/`name`.md, name `cli` or `scene`. @throws InvalidSpec
std::string reference_page(std::string_view name);

/// synthoscope(1), or synthoscope-words-train(1) of the command "words train", for man.
/// @throws InvalidSpec  there is no such command
std::string man_page(std::string_view command);

}  // namespace synthoscope::tools
