// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cell_interior.hpp — the space inside a cell for organelles, and paths
// through it.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/lobes/lobe.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

/// Returns the draws of part `element` of a structure of cell `number`. Draws, fixed by contract:
/// stage `organelles`, index = (16 number + structure) 2^16 + element; draws 0 to 255 decide where
/// the part begins, draws from 256 on how it continues.
Draws organelle_draws(std::uint64_t seed, std::int64_t number, Structure structure,
                      std::int64_t element);
inline constexpr int kWayDraw = 256;

/// Returns a uniform unit vector from words 0 and 1.
Vector3 random_direction(const PhiloxBlock& words);

/// The inside of a cell in its own frame, whose origin is the middle of the surface.
struct CellInterior {
  Lobe surface;
  std::optional<Lobe> nucleus;
  double membrane_um = 0;  ///< thickness

  /// Returns whether a ball around `point` lies in the cytoplasm, below the membrane, to first
  /// order.
  [[nodiscard]] bool holds(const Vector3& point, double radius_um) const;
  /// The same for the nucleus.
  [[nodiscard]] bool nucleus_holds(const Vector3& point, double radius_um) const;

  /// Returns whether a ball around `point` lies below the surface of the cell, tested at 98 of its
  /// points.
  [[nodiscard]] bool lies_below(const Vector3& point, double radius_um) const;

  /// Returns the unit normal, out of the interior, of the nearer of its two walls.
  [[nodiscard]] Vector3 way_out(const Vector3& point) const;

  /// Returns the first of up to 256 random points that lies in the cell and that
  /// `accepts(point, uniform)`; nothing if there is none. Uses draws 0 to 255.
  template <class Accepts>
  [[nodiscard]] std::optional<Vector3> find(const Draws& draws, Accepts&& accepts) const {
    const Vector3 reach = surface.reach_um();
    for (int i = 0; i < kWayDraw; ++i) {
      const auto words = draws.block(i);
      Vector3 point{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        point[axis] = reach[axis] * (2 * uniform32(words[axis]) - 1);
      if (surface.contains(point) && accepts(point, uniform32(words[3]))) return point;
    }
    return std::nullopt;
  }
};

/// Parameters of a path.
struct Walk {
  double step_um = 0;
  double persistence_um = 0;  ///< the length over which the cosine of the turn falls to 1/e
  double margin_um = 0;       ///< from the walls of the interior; the path slides along them
};

/// Returns the points of a path from `start`, with up to `steps` more: a chain that loses its
/// direction, as polymers do. The path ends where it cannot continue. Step i uses draw
/// `first_draw` + i.
/// @source Kratky, Porod, Recl. Trav. Chim. 68 (1949) 1106, doi:10.1002/recl.19490681203.
std::vector<Vector3> walked(const CellInterior& interior, const Draws& draws, int first_draw,
                            const Vector3& start, const Vector3& direction, std::int64_t steps,
                            const Walk& walk);

}  // namespace synthoscope::simulator
