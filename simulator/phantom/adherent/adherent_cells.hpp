// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_cells.hpp — all cells of a cover glass: spread ones that keep
// apart, or a monolayer.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/adherent/adherent_cell.hpp"
#include "simulator/phantom/adherent/heights.hpp"

namespace synthoscope::simulator {

/// Makes the cells of a grid. A spread cell is placed where no earlier one lies within gap_um.
/// @throws InvalidSpec  a cell finds no place: the message says how many did.
/// @throws Interrupted  context.stop was set.
std::vector<AdherentCell> make_adherent_cells(const AdherentSpec& spec, const NucleiSpec& nuclei,
                                              const Grid& grid, std::uint64_t seed,
                                              const RunContext& context);

/// Returns the areas of a confluent layer: each point of the glass belongs to the centre that is
/// nearest after a smooth warp of the plane, which bends borders. Centres are scattered, then moved
/// to the middles of their areas several times.
std::vector<CellGround> monolayer_grounds(const AdherentSpec& spec, const Grid& grid,
                                          std::uint64_t seed, const RunContext& context);

/// Returns the mean area of a cell in um^2: typically 2.5 radius_um^2 for a spread cell; the area
/// of the grid divided by the number of cells for a monolayer.
double mean_area_um2(const AdherentSpec& spec, const Grid& grid);

/// Returns the least half width of a cell on a grid, so that its voxels make one piece.
double half_width_um(const Grid& grid);

/// Returns whether a ball and a cell have no point in common.
bool is_clear_of_ball(const AdherentCell& cell, const Vector3& middle, double radius_um);

/// Returns the bytes that making and keeping all cells takes, without strands and nuclei.
std::int64_t adherent_bytes(const AdherentSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
