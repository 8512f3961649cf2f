// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/heights.hpp — how thick a spread cell is: a thin rim, a body, and a
// dome over its nucleus, which is placed inside.
#pragma once
#include <cstdint>
#include <optional>
#include "simulator/phantom/adherent/footprint.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {

/// Where a cell lies, before it has a height.
struct CellGround {
  PlaneField distances;  ///< from its border
  CellOutline outline;   ///< of a spread cell; only its axis otherwise
  Point2 middle{};       ///< where the nucleus lies
};

/// The body of a cell.
struct CellBodyForm {
  PlaneField heights;  ///< as HeightMap
  std::optional<Nucleus> nucleus;
};

/// Draws heights and nucleus of a cell. The nucleus lies in the middle, above a thin layer of
/// cytoplasm; if it does not fit, it is made smaller, and left out if not even a fifth of it fits.
/// @param nuclei  its shape; none is made if `with_nucleus` is false
CellBodyForm body_of(const AdherentSpec& spec, const NucleiSpec& nuclei, const CellGround& ground,
                     std::uint64_t seed, std::int64_t cell);

/// Returns the nucleus of a cell before it is placed, at the origin, with its long axis roughly
/// along `axis`.
Nucleus draw_adherent_nucleus(const NucleiSpec& nuclei, const Point2& axis, std::uint64_t seed,
                              std::int64_t cell);

}  // namespace synthoscope::simulator
