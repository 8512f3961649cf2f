// SPDX-License-Identifier: MIT
#include "core/stream/store_as.hpp"
#include <algorithm>
#include <type_traits>
#include "core/volume/stored_voxel.hpp"

namespace synthoscope {
namespace {

/// @returns how many were outside the range of T; NaN is.
template <class T, class Real>
std::int64_t round_row(const Real* from, std::int64_t count, T* to) {
  std::int64_t inside = 0;
  for (std::int64_t x = 0; x < count; ++x) {
    inside += in_range<T>(from[x]);
    to[x] = rounded<T>(from[x]);
  }
  return count - inside;
}

template <class Real>
std::int64_t count_non_finite(const Real* row, std::int64_t count) {
  std::int64_t finite = 0;
  for (std::int64_t x = 0; x < count; ++x) finite += is_finite(row[x]);
  return count - finite;
}

template <class Real>
StoredCounts store(HostView3<const Real> in, VoxelView out) {
  SYNTHOSCOPE_ASSERT(in.extent(), ==, out.extent());
  const Extent3 e = in.extent();
  StoredCounts counts;
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
  count(store(in, out));
}

void StoreAs::apply(const Box3&, HostView3<const double> in, VoxelView out) {
  count(store(in, out));
}

void StoreAs::count(const StoredCounts& counts) {
  clipped_ += counts.clipped;
  non_finite_ += counts.non_finite;
}

}  // namespace synthoscope
