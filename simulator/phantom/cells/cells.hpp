// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cells.hpp — a population of cells, drawn and placed, and its memory.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/cells/cell.hpp"

namespace synthoscope::simulator {

/// Places surfaces away from `nuclei`, then makes the cells in them. Progress advances by one for
/// each, and a warning says which organelles do not fit.
/// @param nuclei_gap_um  least distance to nuclei, if larger than spec.gap_um
/// @throws InvalidSpec  as place(). @throws Interrupted  context.stop was set.
std::vector<Cell> make_cells(const CellsSpec& spec, const std::vector<Nucleus>& nuclei,
                             double nuclei_gap_um, const Grid& grid, std::uint64_t seed,
                             const RunContext& context);

/// Returns the bytes that making and keeping a cell takes, without its strands.
std::int64_t cell_bytes(const CellsSpec& spec);

}  // namespace synthoscope::simulator
