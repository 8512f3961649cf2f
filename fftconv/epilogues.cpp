// SPDX-License-Identifier: MIT
#include "fftconv/epilogues.hpp"
#include <cmath>
#include <limits>

namespace synthoscope::fftconv {
namespace {

/// Rounds to nearest, ties to even, into the range of T; NaN becomes 0 and counts as clipped.
template <class T, class Real>
T rounded(Real value, std::int64_t& clipped) {
  constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr auto kHigh = static_cast<double>(std::numeric_limits<T>::max());
  const double nearest = std::nearbyint(static_cast<double>(value));
  if (nearest >= kLow && nearest <= kHigh) return static_cast<T>(nearest);
  ++clipped;
  return nearest < kLow    ? std::numeric_limits<T>::min()
         : nearest > kHigh ? std::numeric_limits<T>::max()
                           : T{0};
}

template <class Real>
std::int64_t count_non_finite(HostView3<const Real> in) {
  std::int64_t count = 0;
  for (std::int64_t z = 0; z < in.extent().z; ++z)
    for (std::int64_t y = 0; y < in.extent().y; ++y)
      for (std::int64_t x = 0; x < in.extent().x; ++x) count += !std::isfinite(in(z, y, x));
  return count;
}

/// @returns how many voxels were clipped.
template <class Real>
std::int64_t store(HostView3<const Real> in, VoxelView out) {
  SYNTHOSCOPE_ASSERT(in.extent(), ==, out.extent());
  std::int64_t clipped = 0;
  visit_pixel_type(out.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto to = out.as<T>();
    for (std::int64_t z = 0; z < in.extent().z; ++z)
      for (std::int64_t y = 0; y < in.extent().y; ++y) {
        const Real* from = in.row(z, y);
        T* row = to.row(z, y);
        for (std::int64_t x = 0; x < in.extent().x; ++x) {
          if constexpr (std::is_integral_v<T>)
            row[x] = rounded<T>(from[x], clipped);
          else
            row[x] = static_cast<T>(from[x]);
        }
      }
  });
  return clipped;
}

}  // namespace

void StoreAs::apply(const Box3&, HostView3<const float> in, VoxelView out) {
  non_finite_ += count_non_finite(in);
  clipped_ += store(in, out);
}

void StoreAs::apply(const Box3&, HostView3<const double> in, VoxelView out) {
  non_finite_ += count_non_finite(in);
  clipped_ += store(in, out);
}

}  // namespace synthoscope::fftconv
