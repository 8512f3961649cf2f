// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/power_diagram.hpp — divides a box into the cells of weighted points,
// which are convex polyhedra.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/geometry/half_space.hpp"

namespace synthoscope::simulator {

/// A convex polyhedron that begins as a box. Exact except for rounding: computed with + - * / sqrt
/// only, equal on every machine.
class Polyhedron {
 public:
  /// The number of the sides of the initial box, instead of the number of a cut.
  static constexpr int kBoxSide = -1;

  explicit Polyhedron(const Bounds& box);

  /// Keeps the part in `side`; the new face, if there is one, gets `number`, >= 0.
  void cut(const HalfSpace& side, int number);

  [[nodiscard]] bool empty() const { return faces_.empty(); }
  [[nodiscard]] double volume() const;
  [[nodiscard]] Vector3 centroid() const;  ///< requires a polyhedron that is not empty
  [[nodiscard]] Bounds bounds() const;     ///< requires a polyhedron that is not empty

  /// Returns the square of the distance from `point` to the farthest corner.
  [[nodiscard]] double farthest_square(const Vector3& point) const;

  /// Returns the numbers of the cuts that still have a face, ascending.
  [[nodiscard]] std::vector<int> cuts() const;

 private:
  struct Face {
    int number;
    std::vector<Vector3> corners;  ///< in order around the face
  };
  struct Moments {
    double volume = 0;
    Vector3 first{};  ///< volume times centroid
  };
  [[nodiscard]] Moments moments() const;
  template <class Visit>
  void for_each_corner(Visit&& visit) const;

  std::vector<Face> faces_;
};

/// A point and the squared radius of the ball that it claims.
struct PowerSeed {
  Vector3 at{};
  double weight = 0;  ///< um^2, >= 0
};

/// The part of a box that is nearer to one seed than to any other: |p - at|^2 - weight is least.
/// Empty if the balls of other seeds leave nothing.
struct PowerCell {
  Polyhedron body;               ///< within the box; cuts have the numbers of other seeds
  std::vector<HalfSpace> sides;  ///< of its faces towards other seeds, in the order of seeds
};

/// Returns the half-space of `seeds[i]` against `seeds[j]`; with i and j swapped, the exact
/// opposite.
HalfSpace side_between(const std::vector<PowerSeed>& seeds, std::size_t i, std::size_t j);

/// Returns the cells of all seeds: they fill the box and share only faces. Seeds lie in the box.
/// Runs on the pool; the result is a function of (seeds, box), equal on every machine.
/// @source Aurenhammer, SIAM J. Comput. 16 (1987) 78, doi:10.1137/0216006 (power diagrams).
/// @throws Interrupted  context.stop was set.
std::vector<PowerCell> power_diagram(const std::vector<PowerSeed>& seeds, const Bounds& box,
                                     const RunContext& context);

}  // namespace synthoscope::simulator
