// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/polyhedron.hpp — a convex polyhedron, cut by one plane after another.
#pragma once
#include <vector>
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

}  // namespace synthoscope::simulator
