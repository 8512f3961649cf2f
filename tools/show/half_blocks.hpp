// SPDX-License-Identifier: MIT
// tools/show/half_blocks.hpp — pictures in a terminal.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include "simulator/pictures/canvas.hpp"

namespace synthoscope::tools {

/// Returns a picture as lines of half blocks in 24-bit colour, two pixels a character, at most
/// `columns` wide: larger pictures are averaged over squares.
std::string half_blocks(const simulator::Canvas& canvas, std::int64_t columns);

/// Returns the columns of the terminal of standard output; nothing if it is none.
std::optional<std::int64_t> terminal_columns();

}  // namespace synthoscope::tools
