// SPDX-License-Identifier: MIT
#include "simulator/optics/bessel_j0.hpp"
#include <array>
#include <cmath>
#include <numbers>

namespace synthoscope::simulator {
namespace {

constexpr int kIntervals = 40;  // of length 1; beyond them the asymptotic series is exact enough
constexpr int kDegree = 15;     // (1/2)^16 / 16! is below the last bit
constexpr int kTerms = 10;      // of P and of Q each

using TaylorTable = std::array<std::array<double, kDegree + 1>, kIntervals>;

/// The m-th derivative of J0 from Bessel's integral, (1/pi) int_0^pi sin^m t cos(x sin t + m pi/2)
/// dt: the integrand has period pi, so the trapezoid rule is exact but for J_96.
double derivative_of_j0(int m, double x) {
  constexpr int kPoints = 48;
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double s = std::sin(std::numbers::pi * (i + 0.5) / kPoints);
    sum += std::pow(s, m) * std::cos(x * s + m * (std::numbers::pi / 2));
  }
  return sum / kPoints;
}

TaylorTable make_taylor_table() {
  TaylorTable table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    double factorial = 1;
    for (int m = 0; m <= kDegree; ++m) {
      factorial *= m > 0 ? m : 1;
      table[i][static_cast<std::size_t>(m)] =
          derivative_of_j0(m, static_cast<double>(i) + 0.5) / factorial;
    }
  }
  return table;
}

double from_taylor(double x) {
  static const TaylorTable table = make_taylor_table();
  const auto interval = static_cast<std::size_t>(x);
  const double t = x - (static_cast<double>(interval) + 0.5);
  const auto& c = table[interval];
  double value = c[kDegree];
  for (std::size_t m = kDegree; m-- > 0;) value = value * t + c[m];
  return value;
}

/// Coefficients of Hankel's expansion, (1 * 3 * ... (2k - 1))^2 / (k! 8^k), signs of the
/// alternating sums P and Q included.
struct HankelSeries {
  std::array<double, kTerms> p{}, q{};
};

constexpr HankelSeries make_hankel_series() {
  HankelSeries s;
  double a = 1;
  for (int k = 0; k < 2 * kTerms; ++k) {
    const double sign = (k / 2) % 2 == 0 ? 1 : -1;
    if (k % 2 == 0)
      s.p[static_cast<std::size_t>(k / 2)] = sign * a;
    else
      s.q[static_cast<std::size_t>(k / 2)] = -sign * a;
    a *= (2.0 * k + 1) * (2.0 * k + 1) / (8.0 * (k + 1));
  }
  return s;
}

double from_hankel(double x) {
  static constexpr HankelSeries kSeries = make_hankel_series();
  const double inverse = 1 / x, square = inverse * inverse;
  double p = 0, q = 0;
  for (std::size_t k = kTerms; k-- > 0;) {
    p = p * square + kSeries.p[k];
    q = q * square + kSeries.q[k];
  }
  q *= inverse;
  // cos(x - pi/4) and sin(x - pi/4) times sqrt 2, without rounding x - pi/4
  const double c = std::cos(x) + std::sin(x), s = std::sin(x) - std::cos(x);
  return std::sqrt(inverse * std::numbers::inv_pi) * (p * c - q * s);
}

}  // namespace

double bessel_j0(double x) {
  return x < kIntervals ? from_taylor(x) : from_hankel(x);
}

}  // namespace synthoscope::simulator
