// SPDX-License-Identifier: MIT
// simulator/phantom/cells/filopodia.hpp — fingers of cells end at their neighbours.
#pragma once
#include <vector>
#include "simulator/phantom/cells/cell.hpp"

namespace synthoscope::simulator {

/// Ends every filopodium before the first of its pieces that comes near another cell's core or one
/// of `nuclei`. Filopodia of two cells may cross. The result depends on the arguments only, so that
/// filopodia retract as their cell approaches others.
void end_filopodia_at_neighbours(std::vector<Cell>& cells, const std::vector<Nucleus>& nuclei);

/// Bytes of temporary memory of end_filopodia_at_neighbours for each cell and nucleus.
inline constexpr std::int64_t kFilopodiaBytes = 64;

}  // namespace synthoscope::simulator
