// SPDX-License-Identifier: MIT
// simulator/phantom/power_diagram.hpp — shares a box out among weighted points, each its cell.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/polyhedron.hpp"

namespace synthoscope::simulator {

/// A point and the square of the radius of the ball around it that it claims.
struct PowerSeed {
  Vector3 at{};
  double weight = 0;  ///< um^2, >= 0
};

/// The points of a box that are nearer to a seed than to any other: |p - at|^2 - weight is least.
/// Empty for a seed whose ball is lost in those of others.
struct PowerCell {
  Polyhedron body;               ///< within the box; its cuts are numbers of other seeds
  std::vector<HalfSpace> sides;  ///< of its faces towards others, in the order of their numbers
};

/// The half-space of `seeds[i]` against `seeds[j]`; the other way round it is the exact opposite.
HalfSpace side_between(const std::vector<PowerSeed>& seeds, std::size_t i, std::size_t j);

/// The cells of all seeds: they fill the box and share but faces. Seeds lie in the box. Runs on the
/// pool; the result is a function of (seeds, box), the same on every machine.
/// @source Aurenhammer, SIAM J. Comput. 16 (1987) 78, doi:10.1137/0216006 (power diagrams).
/// @throws Interrupted  context.stop was set.
std::vector<PowerCell> power_diagram(const std::vector<PowerSeed>& seeds, const Bounds& box,
                                     const RunContext& context);

}  // namespace synthoscope::simulator
