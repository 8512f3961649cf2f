// SPDX-License-Identifier: MIT
// tools/reference.hpp — the help of the whole program, and its reference pages in Markdown.
#pragma once
#include <string>
#include <string_view>

namespace synthoscope::tools {

/// Commands, one line each.
std::string program_help();

/// Those whose names begin with `name`, such as words.
std::string family_help(std::string_view name);

/// The page docs/reference/`name`.md, name `cli` or `scene`. @throws InvalidSpec
std::string reference_page(std::string_view name);

}  // namespace synthoscope::tools
