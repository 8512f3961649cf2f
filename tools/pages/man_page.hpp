// SPDX-License-Identifier: MIT
// tools/pages/man_page.hpp — manual pages, from the option tables.
#pragma once
#include <string>
#include <string_view>

namespace synthoscope::tools {

/// synthoscope(1), or synthoscope-words-train(1) of the command "words train", for man.
/// @throws InvalidSpec  there is no such command
std::string man_page(std::string_view command);

}  // namespace synthoscope::tools
