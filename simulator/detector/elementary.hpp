// SPDX-License-Identifier: MIT
// simulator/detector/elementary.hpp — logarithm and exponential with the same bits everywhere.
// Only + - * / and bit patterns: a math library's versions differ from host to host and device.
#pragma once
#include <bit>
#include <cstdint>

namespace synthoscope::simulator::portable {

inline constexpr double kLn2High =
    0x1.62e42fee00000p-1;  // 21 trailing zeros: times an exponent exact
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// Natural logarithm of a normal positive number. @accuracy 1e-15 relative, or 1e-16 absolute
/// near 1.
constexpr double log(double x) {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1,
                          kOne = std::uint64_t{1023} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & kFraction) | kOne);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  // log m = 2 atanh f, |f| <= 0.172
  const double f = (mantissa - 1) / (mantissa + 1), square = f * f;
  double series = 1.0 / 23;
  for (int k = 21; k >= 3; k -= 2) series = series * square + 1.0 / k;
  const double tail = 2 * f * square * series;
  return exponent * kLn2High + (2 * f + (tail + exponent * kLn2Low));
}

/// e^x for x <= 0; 0 below -700. @accuracy 4e-16 relative beside the rounding of x.
constexpr double exp_negative(double x) {
  if (x < -700) return 0;
  const int exponent = static_cast<int>(x * 1.4426950408889634 - 0.5);
  const double r = (x - exponent * kLn2High) - exponent * kLn2Low;  // |r| <= 0.347
  double series = 1;
  for (int k = 14; k >= 1; --k) series = 1 + series * r / k;
  return series * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

}  // namespace synthoscope::simulator::portable
