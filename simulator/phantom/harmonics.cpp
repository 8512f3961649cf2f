// SPDX-License-Identifier: MIT
#include "simulator/phantom/harmonics.hpp"
#include <cmath>

namespace synthoscope::simulator {
namespace {

/// Factors of the recurrences
///   P_mm = diagonal(m) s P_{m-1,m-1},   P_lm = a(l,m) z P_{l-1,m} - b(l,m) P_{l-2,m}
/// with s = sqrt(1 - z^2), which is left out here: s^m joins cos(m phi) as the real part of
/// (x + iy)^m.
struct Recurrence {
  std::array<double, kMaxDegree + 1> diagonal{};
  std::array<std::array<double, kMaxDegree + 1>, kMaxDegree + 1> a{}, b{};

  Recurrence() {
    diagonal[0] = 1;
    for (int m = 1; m <= kMaxDegree; ++m) {
      const auto column = static_cast<std::size_t>(m);
      diagonal[column] = m == 1 ? std::sqrt(3.0) : std::sqrt((2.0 * m + 1) / (2.0 * m));
    }
    for (int m = 0; m <= kMaxDegree; ++m)
      for (int l = m + 1; l <= kMaxDegree; ++l) {
        const auto row = static_cast<std::size_t>(l), column = static_cast<std::size_t>(m);
        const double span = static_cast<double>(l - m) * (l + m);
        a[row][column] = std::sqrt((2.0 * l - 1) * (2.0 * l + 1) / span);
        if (l > m + 1)
          b[row][column] =
              std::sqrt((2.0 * l + 1) * (l + m - 1) * (l - m - 1) / (span * (2.0 * l - 3)));
      }
  }
};

}  // namespace

double Harmonics::operator()(const Vector3& u) const {
  static const Recurrence kFactors;
  const auto [z, y, x] = u;
  double sum = 0, sectoral = 1, real = 1, imaginary = 0;
  for (int m = 0; m <= degree_; ++m) {
    const auto column = static_cast<std::size_t>(m);
    sectoral *= kFactors.diagonal[column];
    double below = 0, here = sectoral;
    for (int l = m; l <= degree_; ++l) {
      if (l > m) {
        const auto row = static_cast<std::size_t>(l);
        const double above = kFactors.a[row][column] * z * here - kFactors.b[row][column] * below;
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
