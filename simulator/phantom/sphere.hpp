// SPDX-License-Identifier: MIT
// simulator/phantom/sphere.hpp — points on the unit sphere: to integrate over it, to cover it.
// Made with + - * / sqrt alone, so that every machine has the same ones.
#pragma once
#include <vector>
#include "simulator/phantom/vector3.hpp"

namespace synthoscope::simulator {

/// A node of a quadrature over the sphere; the weights of a rule add up to 1.
struct SphereNode {
  Vector3 direction;
  double weight;
};

/// Integrates polynomials of z, y, x up to degree 31 exactly: Clenshaw-Curtis along z times equal
/// angles around it. @source Clenshaw, Curtis, Numer. Math. 2 (1960) 197, doi:10.1007/BF01386223.
const std::vector<SphereNode>& sphere_quadrature();

/// Directions of which one lies within kCoverAngle of any direction.
const std::vector<Vector3>& sphere_cover();
inline constexpr double kCoverAngle = 0.0472;  ///< radians

/// The unit vectors of the integer directions with components up to 2, without multiples: 98.
/// Direction i and direction 97 - i are opposite.
const std::vector<Vector3>& separating_directions();

}  // namespace synthoscope::simulator
