// SPDX-License-Identifier: MIT
// simulator/phantom/organelles.hpp — what lies in a cell: drawn in its own frame, a function of
// (spec, seed, number of the cell, its surface and nucleus).
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/phantom/cell_room.hpp"
#include "simulator/phantom/cells_spec.hpp"
#include "simulator/phantom/stained_strand.hpp"

namespace synthoscope::simulator {

/// All strands of one structure are one; of spots, which add up, each is one of its own.
std::vector<StainedStrand> draw_organelles(const CellsSpec& spec, std::uint64_t seed,
                                           std::int64_t number, const CellRoom& room,
                                           double spot_depth_um = 0);

/// Tubes that branch, more of them near the nucleus, as live cells show them.
Strand draw_mitochondria(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                         const CellRoom& room);

inline constexpr double kMicrotubuleRadiusUm = 0.0125;

/// Filaments from a centrosome beside the nucleus to where they have met the membrane and gone
/// along it.
Strand draw_microtubules(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                         const CellRoom& room);

/// Two of three bundles are stress fibres: they lie on the cell's lower side, all about in one
/// direction. Every third goes along under the membrane.
Strand draw_actin(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                  const CellRoom& room);

/// Thin and tapered fingers that leave the cell about where it is widest.
Strand draw_filopodia(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                      const CellRoom& room);

/// Balls that lie wholly in the cytoplasm, the nucleus or either.
struct BallsSpec {
  std::int64_t count = 0;
  double radius_um = 0;
  SpotPlace place = SpotPlace::cytoplasm;
  double depth_um = 0;  ///< of their middles below the membrane, where that leaves them a place
};

/// Their middles.
std::vector<Vector3> draw_balls(const CellRoom& room, std::uint64_t seed, std::int64_t number,
                                Structure structure, const BallsSpec& balls);

/// How many pieces of each there are at most.
namespace most_pieces {
std::int64_t of_mitochondria(const CellsSpec& spec);
std::int64_t of_microtubules(const CellsSpec& spec);
std::int64_t of_actin(const CellsSpec& spec);
std::int64_t of_filopodia(const CellsSpec& spec);
}  // namespace most_pieces

}  // namespace synthoscope::simulator
