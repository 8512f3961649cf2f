// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/sphere.hpp — points on the unit sphere, to integrate over it and to
// cover it. Computed with + - * / sqrt only, equal on every machine.
#pragma once
#include <cstddef>
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

/// Returns 16384 directions that are spread evenly over the sphere, for integrals over functions
/// that are no polynomials. @source Gonzalez, Math. Geosci. 42 (2010) 49,
/// doi:10.1007/s11004-009-9257-x (the lattice of Fibonacci).
const std::vector<Vector3>& fine_directions();

/// Returns `count` directions that are spread evenly, in the same way.
std::vector<Vector3> spread_directions(std::size_t count);

/// Returns directions such that any direction lies within kCoverAngle of one of them.
const std::vector<Vector3>& sphere_cover();
inline constexpr double kCoverAngle = 0.0472;  ///< radians

/// Returns the unit vectors of the integer directions with components up to 2, without multiples:
/// 98. Direction i and direction 97 - i are opposite.
const std::vector<Vector3>& separating_directions();

}  // namespace synthoscope::simulator
