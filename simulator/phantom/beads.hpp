// SPDX-License-Identifier: MIT
// simulator/phantom/beads.hpp — evenly stained balls, scattered so that none touches another
// object.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>
#include "core/stop.hpp"
#include "simulator/grid.hpp"
#include "simulator/phantom/ball.hpp"
#include "simulator/phantom/beads_spec.hpp"
#include "simulator/phantom/body.hpp"
#include "simulator/phantom/nucleus.hpp"

namespace synthoscope::simulator {

/// A ball that glows evenly. Plain data; units in the names.
struct Bead {
  static constexpr std::string_view kClass = "bead";
  Vector3 centre{};
  double radius_um = 0;
  double photons_per_um3 = 0;

  [[nodiscard]] Bounds bounds() const {
    return bounds_around(centre, {radius_um, radius_um, radius_um});
  }
  [[nodiscard]] bool contains(const Vector3& point) const {
    const Vector3 from = point - centre;
    return dot(from, from) <= radius_um * radius_um;
  }
  [[nodiscard]] Vector3 centroid() const { return centre; }
  [[nodiscard]] double volume_um3() const;
};

/// Draws and places the beads of `spec`, each at the first of 2000 uniform positions that keeps its
/// distance from `nuclei` and from the beads before it. A function of (spec, nuclei, grid, seed).
/// The draws are a promise: stage `beads`, index = number of the bead; draw 0 its diameter, draw
/// 256 + try words 0, 1, 2 for z, y, x.
/// @throws InvalidSpec  they do not fit: says how many did. @throws Interrupted  `stop` was set.
std::vector<Bead> scatter_beads(const BeadsSpec& spec, const std::vector<Nucleus>& nuclei,
                                const Grid& grid, std::uint64_t seed, const StopFlag& stop);

}  // namespace synthoscope::simulator
