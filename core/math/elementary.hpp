// SPDX-License-Identifier: MIT
// core/math/elementary.hpp — logarithm, exponential, sine and cosine with the same bits everywhere.
// Only + - * / and bit patterns, no branch: a math library's versions differ from host to host and
// device, and these vectorise.
#pragma once
#include <bit>
#include <cstdint>

namespace synthoscope::portable {

inline constexpr double kLn2High =
    0x1.62e42fee00000p-1;  // 21 trailing zeros: times an exponent exact
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// Natural logarithm of a normal positive number. @accuracy 1e-15 relative, or 1e-16 absolute
/// near 1.
constexpr double log(double x) {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  // An integer below 2^52 under the exponent of 2^52 reads as 2^52 plus the integer
  const double biased = std::bit_cast<double>((bits >> 52) | 0x4330000000000000u) - 0x1p52;
  const double fraction = std::bit_cast<double>((bits & kFraction) | 0x3FF0000000000000u);
  const bool upper = fraction > 1.4142135623730951;
  const double mantissa = upper ? fraction * 0.5 : fraction;
  const double exponent = biased - (upper ? 1022 : 1023);

  // log m = 2 atanh f, |f| <= 0.172
  const double f = (mantissa - 1) / (mantissa + 1), square = f * f;
  double series = 1.0 / 23;
  for (int k = 21; k >= 3; k -= 2) series = series * square + 1.0 / k;
  const double tail = 2 * f * square * series;
  return exponent * kLn2High + (2 * f + (tail + exponent * kLn2Low));
}

/// e^x for x <= 0; 0 below -700. @accuracy 4e-16 relative, plus the rounding of x.
constexpr double exp_negative(double x) {
  constexpr double kInverseFactorial[] = {1.0,
                                          1.0,
                                          1.0 / 2,
                                          1.0 / 6,
                                          1.0 / 24,
                                          1.0 / 120,
                                          1.0 / 720,
                                          1.0 / 5040,
                                          1.0 / 40320,
                                          1.0 / 362880,
                                          1.0 / 3628800,
                                          1.0 / 39916800,
                                          1.0 / 479001600,
                                          1.0 / 6227020800,
                                          1.0 / 87178291200};
  constexpr double kRounder = 0x1.8p52;  // leaves the nearest integer in the lowest bits
  const double shifted = x * 1.4426950408889634 + kRounder;
  const double exponent = shifted - kRounder;
  const double r = (x - exponent * kLn2High) - exponent * kLn2Low;  // |r| <= 0.347
  double series = kInverseFactorial[14];
  for (int k = 13; k >= 0; --k) series = series * r + kInverseFactorial[k];
  const double power =
      std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + 0x3FF0000000000000u);
  return x < -700 ? 0 : series * power;
}

/// e^x for |x| < 700: exp_negative(x) up to 0, 1 / exp_negative(-x) above.
constexpr double exp(double x) {
  return x <= 0 ? exp_negative(x) : 1 / exp_negative(-x);
}

struct CosineAndSine {
  double cosine = 1, sine = 0;
};

/// Cosine and sine of an angle in full turns, |turns| < 2^49.
/// @accuracy 3e-16 absolute, plus the rounding of `turns`.
constexpr CosineAndSine cosine_and_sine(double turns) {
  constexpr double kRounder = 0x1.8p52, kTwoPi = 6.283185307179586;
  const double quarters = (4 * turns + kRounder) - kRounder;
  const double angle = (turns - quarters / 4) * kTwoPi;  // within an eighth of a turn
  const double square = angle * angle;
  double cosine = 1, sine = 1;
  for (int k = 9; k >= 1; --k) {
    cosine = 1 - cosine * square / ((2 * k - 1) * (2 * k));
    sine = 1 - sine * square / ((2 * k) * (2 * k + 1));
  }
  sine *= angle;
  switch (static_cast<std::int64_t>(quarters) & 3) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

}  // namespace synthoscope::portable
