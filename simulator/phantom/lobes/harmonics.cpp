// SPDX-License-Identifier: MIT
#include "simulator/phantom/lobes/harmonics.hpp"

namespace synthoscope::simulator {

double Harmonics::operator()(const Vector3& u) const {
  const HarmonicFactors& factors = harmonic_factors();
  const double z = u[0], y = u[1], x = u[2];
  double sum = 0, sectoral = 1, real = 1, imaginary = 0;
  for (int m = 0; m <= degree_; ++m) {
    const auto column = static_cast<std::size_t>(m);
    sectoral *= factors.diagonal[column];
    double below = 0, here = sectoral;
    for (int l = m; l <= degree_; ++l) {
      if (l > m) {
        const auto row = static_cast<std::size_t>(l);
        const double above = factors.a[row][column] * z * here - factors.b[row][column] * below;
        below = here;
        here = above;
      }
      sum += here * (coefficient(l, m) * real);
      if (m > 0) sum += here * (coefficient(l, -m) * imaginary);
    }
    const double next_real = real * x - imaginary * y;
    imaginary = real * y + imaginary * x;
    real = next_real;
  }
  return sum;
}

}  // namespace synthoscope::simulator
