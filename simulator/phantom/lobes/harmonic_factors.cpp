// SPDX-License-Identifier: MIT
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

}  // namespace synthoscope::simulator
