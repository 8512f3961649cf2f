// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/harmonic_factors.cpp — spherical harmonics on the host: factors, and the
// surface of a cushion.
#include <algorithm>
#include <cmath>
#include "simulator/phantom/lobes/harmonics.hpp"

namespace synthoscope::simulator {
namespace {

HarmonicFactors make_harmonic_factors() {
  HarmonicFactors f;
  f.diagonal[0] = 1;
  for (int m = 1; m <= kMaxDegree; ++m) {
    const auto column = static_cast<std::size_t>(m);
    f.diagonal[column] = m == 1 ? std::sqrt(3.0) : std::sqrt((2.0 * m + 1) / (2.0 * m));
  }
  for (int m = 0; m <= kMaxDegree; ++m)
    for (int l = m + 1; l <= kMaxDegree; ++l) {
      const auto row = static_cast<std::size_t>(l), column = static_cast<std::size_t>(m);
      const double span = static_cast<double>(l - m) * (l + m);
      f.a[row][column] = std::sqrt((2.0 * l - 1) * (2.0 * l + 1) / span);
      if (l > m + 1)
        f.b[row][column] =
            std::sqrt((2.0 * l + 1) * (l + m - 1) * (l - m - 1) / (span * (2.0 * l - 3)));
    }
  return f;
}

}  // namespace

const HarmonicFactors& harmonic_factors() {
  static const HarmonicFactors kFactors = make_harmonic_factors();
  return kFactors;
}

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
