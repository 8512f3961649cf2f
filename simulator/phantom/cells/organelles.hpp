// SPDX-License-Identifier: MIT
// simulator/phantom/cells/organelles.hpp — the organelles of a cell: drawn in its own frame, a
// function of (spec, seed, number of the cell, its surface and nucleus).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/base/log.hpp"
#include "simulator/phantom/cells/cell.hpp"
#include "simulator/phantom/cells/cell_interior.hpp"
#include "simulator/phantom/cells/cells_spec.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {

/// Draws all organelles: one strand for each structure, except spots, whose light adds up: each is
/// a separate strand.
std::vector<StainedStrand> draw_organelles(const CellsSpec& spec, std::uint64_t seed,
                                           std::int64_t number, const CellInterior& interior,
                                           double spot_depth_um = 0);

/// Draws tubes that branch, more of them near the nucleus, as in live cells.
Strand draw_mitochondria(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                         const CellInterior& interior);

inline constexpr double kMicrotubuleRadiusUm = 0.0125;

/// Draws filaments from a centrosome next to the nucleus to the membrane and on along it.
Strand draw_microtubules(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                         const CellInterior& interior);

/// Draws bundles of actin. Two of three are stress fibres: they lie on the cell's lower side, all
/// roughly in one direction. Every third runs along under the membrane.
Strand draw_actin(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                  const CellInterior& interior);

/// Draws thin, tapered fingers that leave the cell roughly where it is widest.
Strand draw_filopodia(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                      const CellInterior& interior);

/// Balls that lie wholly in the cytoplasm, the nucleus or either.
struct BallsSpec {
  std::int64_t count = 0;
  double radius_um = 0;
  SpotPlace place = SpotPlace::cytoplasm;
  double depth_um = 0;  ///< of their middles below the surface, if there is such a place
};

/// Returns the middles of the balls; those that find no place are missing.
std::vector<Vector3> draw_balls(const CellInterior& interior, std::uint64_t seed,
                                std::int64_t number, Structure structure, const BallsSpec& balls);

/// Upper bounds of the numbers of pieces.
namespace most_pieces {
std::int64_t of_mitochondria(const CellsSpec& spec);
std::int64_t of_microtubules(const CellsSpec& spec);
std::int64_t of_actin(const CellsSpec& spec);
std::int64_t of_filopodia(const CellsSpec& spec);
}  // namespace most_pieces

/// Returns a sentence for each of mitochondria, vesicles and spots that did not all fit into
/// `cells`: the key, how many were placed, and how many were requested.
std::vector<std::string> missing_organelles(const CellsSpec& spec, std::span<const Cell> cells);

/// Logs each as a warning.
void warn_of_missing_organelles(const CellsSpec& spec, std::span<const Cell> cells, Log& log);

}  // namespace synthoscope::simulator
