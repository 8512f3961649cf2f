// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/sphere.hpp — points on the unit sphere, to integrate over it and to
// cover it. Computed with + - * / sqrt only, equal on every machine.
#pragma once
#include <vector>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// A node of a quadrature over the sphere; the weights of a rule add up to 1.
struct SphereNode {
  Vector3 direction;
  double weight;
};

/// Returns a rule that integrates polynomials of z, y, x up to degree 31 exactly: Clenshaw-Curtis
/// along z times equal angles around it. @source Clenshaw, Curtis, Numer. Math. 2 (1960) 197,
/// doi:10.1007/BF01386223.
const std::vector<SphereNode>& sphere_quadrature();

/// Returns directions such that any direction lies within kCoverAngle of one of them.
const std::vector<Vector3>& sphere_cover();
inline constexpr double kCoverAngle = 0.0472;  ///< radians

/// Returns the unit vectors of the integer directions with components up to 2, without multiples:
/// 98. Direction i and direction 97 - i are opposite.
const std::vector<Vector3>& separating_directions();

}  // namespace synthoscope::simulator
