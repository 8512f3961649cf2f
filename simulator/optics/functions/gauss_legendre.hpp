// SPDX-License-Identifier: MIT
// simulator/optics/functions/gauss_legendre.hpp — nodes and weights of Gauss-Legendre quadrature.
#pragma once
#include <cstdint>
#include <vector>

namespace synthoscope::simulator {

/// A rule that is exact for polynomials up to degree 2 nodes - 1.
struct Quadrature {
  std::vector<double> nodes;  ///< ascending
  std::vector<double> weights;
};

/// Computes `count` >= 1 nodes on [low, high], by Newton steps on the Legendre polynomial from
/// Tricomi's first guess.
/// @source Hale and Townsend, SIAM J. Sci. Comput. 35 (2013), doi:10.1137/120889873.
Quadrature gauss_legendre(std::int64_t count, double low, double high);

}  // namespace synthoscope::simulator
