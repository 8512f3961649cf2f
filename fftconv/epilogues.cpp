// SPDX-License-Identifier: MIT
#include "fftconv/epilogues.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace synthoscope::fftconv {
namespace {

/// Arithmetic that holds every value of T and every half between them exactly.
template <class T, class Real>
using Wide = std::conditional_t<sizeof(T) <= 2, Real, double>;

/// Rounds to nearest, ties to even, into the range of T; NaN becomes 0. @returns how many were
/// outside that range; NaN is.
template <class T, class Real>
std::int64_t round_row(const Real* from, std::int64_t count, T* to) {
  using W = Wide<T, Real>;
  using Integer = std::conditional_t<sizeof(T) <= 2, std::int32_t, std::int64_t>;
  constexpr W kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  constexpr W kHalf = 0.5;
  // Values near it are 1 apart, so adding it and taking it off again rounds to nearest, ties to
  // even; unlike a library call, in vectors
  constexpr W kRounder = W{3} * (std::uint64_t{1} << (std::numeric_limits<W>::digits - 2));
  std::int64_t inside = 0;
  for (std::int64_t x = 0; x < count; ++x) {
    const W value = from[x];
    // The lowest integer is even and takes the half below it; the highest is odd and does not
    inside += (value >= kLow - kHalf) & (value < kHigh + kHalf);
    W clamped = value < kLow ? kLow : value;
    clamped = clamped > kHigh ? kHigh : clamped;
    clamped = value == value ? clamped : W{0};
    to[x] = static_cast<T>(static_cast<Integer>((clamped + kRounder) - kRounder));
  }
  return count - inside;
}

template <class Real>
std::int64_t count_non_finite(const Real* row, std::int64_t count) {
  std::int64_t finite = 0;
  for (std::int64_t x = 0; x < count; ++x)
    finite += std::abs(row[x]) <= std::numeric_limits<Real>::max();
  return count - finite;
}

struct Counts {
  std::int64_t clipped = 0, non_finite = 0;
};

template <class Real>
Counts store(HostView3<const Real> in, VoxelView out) {
  SYNTHOSCOPE_ASSERT(in.extent(), ==, out.extent());
  const Extent3 e = in.extent();
  Counts counts;
  visit_pixel_type(out.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto to = out.as<T>();
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y) {
        const Real* from = in.row(z, y);
        counts.non_finite += count_non_finite(from, e.x);
        if constexpr (std::is_integral_v<T>)
          counts.clipped += round_row(from, e.x, to.row(z, y));
        else
          std::transform(from, from + e.x, to.row(z, y),
                         [](Real value) { return static_cast<T>(value); });
      }
  });
  return counts;
}

}  // namespace

void StoreAs::apply(const Box3&, HostView3<const float> in, VoxelView out) {
  const Counts counts = store(in, out);
  non_finite_ += counts.non_finite;
  clipped_ += counts.clipped;
}

void StoreAs::apply(const Box3&, HostView3<const double> in, VoxelView out) {
  const Counts counts = store(in, out);
  non_finite_ += counts.non_finite;
  clipped_ += counts.clipped;
}

}  // namespace synthoscope::fftconv
