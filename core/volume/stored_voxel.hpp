// SPDX-License-Identifier: MIT
// core/volume/stored_voxel.hpp — how a computed voxel is stored. Host and device compile this file,
// so it includes nothing.
#pragma once

namespace synthoscope {

/// Arithmetic in which integers are rounded; values near kRounder are 1 apart.
template <class Real, bool Narrow>
struct RoundingIn {
  using Wide = double;
  using Integer = long long;
  static constexpr double kRounder = 3.0 * (1LL << 51);
};
template <>
struct RoundingIn<float, true> {
  using Wide = float;
  using Integer = int;
  static constexpr float kRounder = 3.0F * (1 << 22);
};

/// The range of an integer type of at most 32 bits, in numbers that hold all its values and every
/// half between them exactly.
template <class T, class Real>
struct Rounding : RoundingIn<Real, sizeof(T) <= 2> {
  using Wide = typename RoundingIn<Real, sizeof(T) <= 2>::Wide;
  static constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
  static constexpr long long kValues = 1LL << (8 * sizeof(T));
  static constexpr Wide kLow = static_cast<Wide>(kSigned ? -(kValues / 2) : 0);
  static constexpr Wide kHigh = static_cast<Wide>(kSigned ? kValues / 2 - 1 : kValues - 1);
};

/// True unless the value is outside the range of T once it is rounded; NaN is outside.
template <class T, class Real>
constexpr bool in_range(Real from) {
  using R = Rounding<T, Real>;
  constexpr typename R::Wide kHalf = 0.5;
  const typename R::Wide value = from;
  // The lowest integer is even and takes the half below it; the highest is odd and does not
  return (value >= R::kLow - kHalf) & (value < R::kHigh + kHalf);
}

/// Rounded to nearest, ties to even, into the range of T; NaN becomes 0.
template <class T, class Real>
constexpr T rounded(Real from) {
  using R = Rounding<T, Real>;
  using Wide = typename R::Wide;
  const Wide value = from;
  Wide clamped = value < R::kLow ? R::kLow : value;
  clamped = clamped > R::kHigh ? R::kHigh : clamped;
  clamped = value == value ? clamped : Wide{0};
  // Adding kRounder and taking it off again rounds; unlike a library call, in vectors
  return static_cast<T>(static_cast<typename R::Integer>((clamped + R::kRounder) - R::kRounder));
}

/// False for NaN and infinity.
constexpr bool is_finite(float value) {
  return (value >= -3.402823466e+38F) & (value <= 3.402823466e+38F);
}
constexpr bool is_finite(double value) {
  return (value >= -1.7976931348623157e+308) & (value <= 1.7976931348623157e+308);
}

}  // namespace synthoscope
