// SPDX-License-Identifier: MIT
// tools/terminal/wrapped_text.hpp — sentences in lines that fit a terminal.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace synthoscope::tools {

inline constexpr std::size_t kColumns = 80;

/// Returns `text` in lines that begin with `indent` blanks and end before column kColumns.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace synthoscope::tools
