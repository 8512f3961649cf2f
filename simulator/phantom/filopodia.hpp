// SPDX-License-Identifier: MIT
// simulator/phantom/filopodia.hpp — fingers of cells end at their neighbours.
#pragma once
#include <vector>
#include "simulator/phantom/cell.hpp"

namespace synthoscope::simulator {

/// Ends every filopodium in front of the first of its pieces that comes near the core of another
/// cell or one of `nuclei`. Those of two cells may cross. A function of its arguments, so that
/// cells that move draw their fingers in.
void end_filopodia_at_neighbours(std::vector<Cell>& cells, const std::vector<Nucleus>& nuclei);

/// What that takes beside them for each cell and nucleus, in bytes.
inline constexpr std::int64_t kFilopodiaBytes = 64;

}  // namespace synthoscope::simulator
