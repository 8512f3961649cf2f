// SPDX-License-Identifier: MIT
// simulator/phantom/polyhedron.hpp — a convex polyhedron, cut by one plane after another.
#pragma once
#include <vector>
#include "simulator/phantom/half_space.hpp"

namespace synthoscope::simulator {

/// Begins as a box. Its figures are exact but for rounding: made with + - * / sqrt alone, the same
/// on every machine.
class Polyhedron {
 public:
  /// A number that sides of the box have in place of that of a cut.
  static constexpr int kBoxSide = -1;

  explicit Polyhedron(const Bounds& box);

  /// Keeps what lies in `side`; the new face, if there is one, is marked with `number`, >= 0.
  void cut(const HalfSpace& side, int number);

  [[nodiscard]] bool empty() const { return faces_.empty(); }
  [[nodiscard]] double volume() const;
  [[nodiscard]] Vector3 centroid() const;  ///< not of an empty one
  [[nodiscard]] Bounds bounds() const;     ///< not of an empty one

  /// Square of the distance from `point` to the farthest corner.
  [[nodiscard]] double farthest_square(const Vector3& point) const;

  /// Numbers of the cuts that are faces still, ascending.
  [[nodiscard]] std::vector<int> cuts() const;

 private:
  struct Face {
    int number;
    std::vector<Vector3> corners;  ///< around it
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
