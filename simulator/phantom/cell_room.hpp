// SPDX-License-Identifier: MIT
// simulator/phantom/cell_room.hpp — the room that organelles of a cell have, and ways through it.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "simulator/phantom/draws.hpp"
#include "simulator/phantom/lobe.hpp"
#include "simulator/phantom/structure.hpp"

namespace synthoscope::simulator {

/// The draws of part `element` of a structure of cell `number`. Stage `organelles`, a promise:
/// index = (16 number + structure) 2^16 + element; draws 0 to 255 where it lies, 256 and on how it
/// goes on from there.
Draws organelle_draws(std::uint64_t seed, std::int64_t number, Structure structure,
                      std::int64_t element);
inline constexpr int kWayDraw = 256;

/// A uniform unit vector from words 0 and 1.
Vector3 random_direction(const PhiloxBlock& words);

/// The inside of a cell in its own frame: the middle of its surface is the origin.
struct CellRoom {
  Lobe surface;
  std::optional<Lobe> nucleus;
  double membrane_um = 0;  ///< thickness

  /// Whether a ball around `point` lies in the cytoplasm, below the membrane, to first order.
  [[nodiscard]] bool holds(const Vector3& point, double radius_um) const;
  /// The same in the nucleus.
  [[nodiscard]] bool nucleus_holds(const Vector3& point, double radius_um) const;

  /// Whether a ball around `point` lies below the surface of the cell: asked of 98 points of it.
  [[nodiscard]] bool lies_below(const Vector3& point, double radius_um) const;

  /// The unit normal, out of the room, of that of its two surfaces which is nearer.
  [[nodiscard]] Vector3 way_out(const Vector3& point) const;

  /// The first of up to 256 points of the cell that `accepts(point, uniform)`; draws 0 and on.
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

/// How a way goes on.
struct Walk {
  double step_um = 0;
  double persistence_um = 0;  ///< the length over which the cosine of the turn falls to 1/e
  double margin_um = 0;       ///< from the walls of the room, which it slides along
};

/// Points from `start` on, up to `steps` more: a chain that forgets its direction, as polymers do.
/// Ends where it cannot go on. Draw `first_draw` + i for step i.
/// @source Kratky, Porod, Recl. Trav. Chim. 68 (1949) 1106, doi:10.1002/recl.19490681203.
std::vector<Vector3> walked(const CellRoom& room, const Draws& draws, int first_draw,
                            const Vector3& start, const Vector3& direction, std::int64_t steps,
                            const Walk& walk);

}  // namespace synthoscope::simulator
