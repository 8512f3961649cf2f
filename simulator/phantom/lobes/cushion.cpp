// SPDX-License-Identifier: MIT
#include "simulator/phantom/lobes/cushion.hpp"
#include <algorithm>

namespace synthoscope::simulator {

Harmonics cushioned(double roughness, const Harmonics& h, double squareness) {
  // Projections by Gauss-Legendre quadrature of 400 nodes; coefficients of odd degree or of an
  // order other than 0 vanish
  constexpr int kDegree = 4;
  constexpr double kSecond = 0.028788, kFourth = -0.052897;

  Harmonics sum{std::max(h.degree(), kDegree)};
  for (int l = 0; l <= h.degree(); ++l)
    for (int m = -l; m <= l; ++m) sum.coefficient(l, m) = roughness * h.coefficient(l, m);
  sum.coefficient(2, 0) += squareness * kSecond;
  sum.coefficient(4, 0) += squareness * kFourth;
  return sum;
}

}  // namespace synthoscope::simulator
