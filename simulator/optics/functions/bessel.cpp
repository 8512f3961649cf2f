// SPDX-License-Identifier: MIT
#include "simulator/optics/functions/bessel.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace synthoscope::simulator {
namespace {

constexpr int kIntervals = 40;  // of length 1; beyond them the asymptotic series is exact enough
constexpr int kDegree = 15;     // (1/2)^16 / 16! is below the last bit
constexpr int kTerms = 10;      // of P and of Q each

using TaylorTable = std::array<std::array<double, kDegree + 1>, kIntervals>;

/// Returns the m-th derivative of J0 from Bessel's integral, (1/pi) int_0^pi sin^m t cos(x sin t +
/// m pi/2) dt: the integrand has period pi, so the trapezoid rule is exact apart from J_96.
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

/// Coefficients of J0 about the middle of the interval of x, and the distance of x from there.
struct Near {
  const std::array<double, kDegree + 1>& c;
  double t;
};

Near taylor_about(double x) {
  static const TaylorTable table = make_taylor_table();
  const auto interval = static_cast<std::size_t>(x);
  return {table[interval], x - (static_cast<double>(interval) + 0.5)};
}

double j0_from_taylor(double x) {
  const auto [c, t] = taylor_about(x);
  double value = c[kDegree];
  for (std::size_t m = kDegree; m-- > 0;) value = value * t + c[m];
  return value;
}

/// J1 = -J0'.
double j1_from_taylor(double x) {
  const auto [c, t] = taylor_about(x);
  double value = kDegree * c[kDegree];
  for (std::size_t m = kDegree; m-- > 1;) value = value * t + static_cast<double>(m) * c[m];
  return -value;
}

/// Coefficients of Hankel's expansion, (4 v^2 - 1)(4 v^2 - 9) ... (4 v^2 - (2k - 1)^2) / (k! 8^k),
/// signs of the alternating sums P and Q included.
struct HankelSeries {
  std::array<double, kTerms> p{}, q{};
};

constexpr HankelSeries make_hankel_series(int order) {
  HankelSeries s;
  double a = 1;
  for (int k = 0; k < 2 * kTerms; ++k) {
    const double sign = (k / 2) % 2 == 0 ? 1 : -1;
    (k % 2 == 0 ? s.p : s.q)[static_cast<std::size_t>(k / 2)] = sign * a;
    a *= (4.0 * order * order - (2.0 * k + 1) * (2.0 * k + 1)) / (8.0 * (k + 1));
  }
  return s;
}

/// Returns P cos(x - v pi/2 - pi/4) - Q sin(x - v pi/2 - pi/4), times sqrt(2 / (pi x)); `c` and `s`
/// are sqrt 2 times cosine and sine.
double from_hankel(const HankelSeries& series, double x, double c, double s) {
  const double inverse = 1 / x, square = inverse * inverse;
  double p = 0, q = 0;
  for (std::size_t k = kTerms; k-- > 0;) {
    p = p * square + series.p[k];
    q = q * square + series.q[k];
  }
  q *= inverse;
  return std::sqrt(inverse * std::numbers::inv_pi) * (p * c - q * s);
}

/// Returns the sum over k of (-1)^k (x/2)^(2k) v! / (k! (k + v)!), which times (x/2)^v / v! is J_v;
/// x < 2.
double from_powers(int order, double x) {
  constexpr int kMax = 10;
  const double square = x * x / 4;
  double value = 1;
  for (int k = kMax; k >= 1; --k) value = 1 - square / (k * (k + order)) * value;
  return value;
}

struct FirstTwo {
  double j0, j1;
};

FirstTwo first_two(double x) {
  if (x < kIntervals) return {j0_from_taylor(x), j1_from_taylor(x)};
  static constexpr HankelSeries kZero = make_hankel_series(0), kOne = make_hankel_series(1);
  // Avoids the rounding of x - pi/4
  const double c = std::cos(x), s = std::sin(x);
  return {from_hankel(kZero, x, c + s, s - c), from_hankel(kOne, x, s - c, -c - s)};
}

/// Returns an even order so far above `highest` that higher ones do not change the last bit.
int first_of_miller(int highest, double x) {
  const double top = std::max<double>(highest, x);
  return 2 * static_cast<int>((top + 12 + 6 * std::cbrt(top)) / 2) + 20;
}

}  // namespace

std::array<double, 4> bessel_j0_to_j3(double x) {
  const auto [j0, j1] = first_two(x);
  // The recurrence loses digits towards 0
  const double j2 = x < 1 ? x * x / 8 * from_powers(2, x) : 2 * j1 / x - j0;
  const double j3 = x < 2 ? x * x * x / 48 * from_powers(3, x) : 4 * j2 / x - j1;
  return {j0, j1, j2, j3};
}

void bessel_orders(double x, std::span<double> values) {
  const int highest = static_cast<int>(values.size()) - 1;
  std::fill(values.begin(), values.end(), 0.0);
  if (x == 0) {
    values[0] = 1;
    return;
  }
  if (x > highest) {
    const auto first = bessel_j0_to_j3(x);
    values[0] = first[0];
    values[1] = first[1];
    for (int n = 1; n < highest; ++n)
      values[static_cast<std::size_t>(n + 1)] =
          2 * n / x * values[static_cast<std::size_t>(n)] - values[static_cast<std::size_t>(n - 1)];
    return;
  }
  constexpr double kLarge = 0x1p500;
  double above = 0, here = 1 / kLarge, even = 0;  // J_(n + 1), J_n, sum of J_2, J_4, ...
  for (int n = first_of_miller(highest, x); n > 0; --n) {
    if (n <= highest) values[static_cast<std::size_t>(n)] = here;
    if (n % 2 == 0) even += here;
    const double below = 2 * n / x * here - above;
    above = here;
    here = below;
    if (std::abs(here) < kLarge) continue;
    here /= kLarge;
    above /= kLarge;
    even /= kLarge;
    for (double& value : values) value /= kLarge;
  }
  values[0] = here;
  const double scale = 1 / (here + 2 * even);
  for (double& value : values) value *= scale;
}

}  // namespace synthoscope::simulator
