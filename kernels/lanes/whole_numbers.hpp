// SPDX-License-Identifier: MIT
// kernels/lanes/whole_numbers.hpp — stores rows of doubles in arrays of any type, with the
// conversions of scipy.ndimage.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include "core/vector/vector_level.hpp"
#include "core/volume/view.hpp"

namespace synthoscope::kernels {

/// How a double becomes an integer.
///   truncated  towards zero; what the type does not hold wraps around, as in C by way of the next
///              larger integer (scipy's filters)
///   nearest    to the nearest, halves away from zero, and clipped (scipy's interpolation)
enum class WholeNumbers { truncated, nearest };

/// How results are converted before they are stored.
struct Storing {
  WholeNumbers whole = WholeNumbers::truncated;
  bool in_any_type = false;  ///< also if the type has fractions
};

/// Returns `value` as T. NaN, and what is beyond 2^31 (for uint32 2^63), becomes the lowest
/// integer, of which small types keep the lowest bits.
template <class T>
SYNTHOSCOPE_INLINE inline T truncated_to(double value) {
  using Wide = std::conditional_t<std::is_same_v<T, std::uint32_t>, std::int64_t, std::int32_t>;
  constexpr double kLow = static_cast<double>(std::numeric_limits<Wide>::min());
  const bool fits = (value > kLow - 1) & (value < -kLow);
  return static_cast<T>(static_cast<Wide>(fits ? value : kLow));
}

SYNTHOSCOPE_INLINE inline double half_away_from_zero(double value) {
  return std::trunc(value + std::copysign(0.5, value));
}

template <class T>
SYNTHOSCOPE_INLINE inline T nearest_in(double value) {
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<T>::max());
  const double there = half_away_from_zero(value);
  const double clipped = there > kLow ? there : kLow;  // NaN becomes the lowest
  return static_cast<T>(static_cast<std::int64_t>(clipped < kHigh ? clipped : kHigh));
}

/// Stores `count` contiguous results as `storing` says.
template <class T>
void store_row(VectorLevel level, const double* from, std::int64_t count, const Storing& storing,
               T* to) {
  const bool truncates = storing.whole == WholeNumbers::truncated, any = storing.in_any_type;
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    const double* const values = from;
    T* const stored = to;
    const auto each = [=](auto&& made) SYNTHOSCOPE_INLINE {
      for (std::int64_t i = 0; i < count; ++i) stored[i] = static_cast<T>(made(values[i]));
    };
    if constexpr (std::is_floating_point_v<T>) {
      if (!any)
        each([](double v) SYNTHOSCOPE_INLINE { return v; });
      else if (truncates)
        each([](double v) SYNTHOSCOPE_INLINE { return std::trunc(v); });
      else
        each([](double v) SYNTHOSCOPE_INLINE { return half_away_from_zero(v); });
    } else if (truncates) {
      each([](double v) SYNTHOSCOPE_INLINE { return truncated_to<T>(v); });
    } else {
      each([](double v) SYNTHOSCOPE_INLINE { return nearest_in<T>(v); });
    }
  });
}

}  // namespace synthoscope::kernels
