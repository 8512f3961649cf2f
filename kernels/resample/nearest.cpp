// SPDX-License-Identifier: MIT
#include "kernels/resample/nearest.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "kernels/resample/rows.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kMaxNear = std::numeric_limits<std::int32_t>::max();

/// Returns floor(c + 1/2), clamped to [0, n); `top` is n - 1/2.
SYNTHOSCOPE_INLINE inline std::uint32_t nearest_in(double c, double top) {
  double from_face = c + 0.5;
  from_face = from_face > 0 ? from_face : 0;  // NaN becomes 0
  from_face = from_face < top ? from_face : top;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(from_face));
}

}  // namespace

NearestVoxels::NearestVoxels(const Window& window, Outside outside, const CoordinateRange& range,
                             VectorLevel level)
    : window_{window}, outside_{outside}, level_{level} {
  const auto& [low, high] = range;
  bool is_inside = true, is_held = true;
  std::int64_t apart = 0;  // elements from the first that is looked up to the last
  const auto add_axis = [&](double from, double to, std::int64_t n, std::int64_t origin,
                            std::int64_t size, std::int64_t pitch, std::int64_t& near) {
    const double count = static_cast<double>(n);
    Axis axis{count - 0.5};
    if (outside == Outside::grid_constant)
      axis = {axis.top, 0.5, 0, std::nextafter(count, 0)};
    else if (outside == Outside::zero)
      axis = {axis.top, 0, -kBesideFace, count - 1 + kBesideFace};
    is_inside &= is_within(from, n) && is_within(to, n);
    if (n > kMaxNear) {
      is_held = false;
      return axis;
    }
    const std::int64_t first = nearest_in(from, axis.top);
    const std::int64_t last = std::isnan(to) ? n - 1 : nearest_in(to, axis.top);
    is_held &= first >= origin && last < origin + size;
    first_ += (first - origin) * pitch;
    apart += (last - first) * pitch;
    near = last - first + 1;
    return axis;
  };
  const auto& [image, box, voxels] = window;
  const std::int64_t pitch = voxels.pitch();
  z_ = add_axis(low.z, high.z, image.z, box.origin.z, box.size.z, box.size.y * pitch, near_.z);
  y_ = add_axis(low.y, high.y, image.y, box.origin.y, box.size.y, pitch, near_.y);
  x_ = add_axis(low.x, high.x, image.x, box.origin.x, box.size.x, 1, near_.x);
  is_near_ = (is_inside || has_fill(outside) || outside == Outside::nearest) && is_held &&
             apart <= kMaxNear;
  is_flat_ = low.z == high.z;
  has_absent_ = has_fill(outside) && !is_inside;
}

void NearestVoxels::expect(RowsAhead& ahead) const {
  const ConstVoxelView& voxels = window_.voxels;
  const std::int64_t bytes = size_of(voxels.type()), pitch = voxels.pitch();
  if (is_near_)
    ahead.expect(voxels.data() + first_ * bytes, near_, bytes, pitch, window_.box.size.y * pitch);
}

void NearestVoxels::find_near(const CoordinateRow& at, int count, std::int32_t* found) const {
  // Differences are right modulo 2^32
  const auto& [image, box, voxels] = window_;
  const auto of_row = static_cast<std::uint32_t>(voxels.pitch());
  const auto of_plane = static_cast<std::uint32_t>(box.size.y * voxels.pitch());
  const auto first =
      static_cast<std::uint32_t>(first_ + box.origin.z * box.size.y * voxels.pitch() +
                                 box.origin.y * voxels.pitch() + box.origin.x);
  vectorised(level_, [=, this]() SYNTHOSCOPE_INLINE {
    // Local copies: for the compiler, `found` might point to captured variables
    const double *const z = at.z, *const y = at.y, *const x = at.x;
    std::int32_t* const to = found;
    const int n = count;
    const std::uint32_t plane = of_plane, row = of_row;
    const Axis in_z = z_, in_y = y_, in_x = x_;
    if (is_flat_) {
      const std::uint32_t base = nearest_in(z[0], in_z.top) * plane - first;
      for (int i = 0; i < n; ++i)
        to[i] = static_cast<std::int32_t>(base + nearest_in(y[i], in_y.top) * row +
                                          nearest_in(x[i], in_x.top));
    } else {
      const std::uint32_t base = 0 - first;
      for (int i = 0; i < n; ++i)
        to[i] = static_cast<std::int32_t>(base + nearest_in(z[i], in_z.top) * plane +
                                          nearest_in(y[i], in_y.top) * row +
                                          nearest_in(x[i], in_x.top));
    }
    if (!has_absent_) return;
    for (int i = 0; i < n; ++i) {
      const auto misses = [](double c, const Axis& axis) SYNTHOSCOPE_INLINE {
        const double from = c + axis.before;
        return ((from >= axis.low) & (from <= axis.high)) ? 0 : -1;
      };
      to[i] |= misses(z[i], in_z) | misses(y[i], in_y) | misses(x[i], in_x);
    }
  });
}

void NearestVoxels::find_anywhere(const CoordinateRow& at, int count, std::int64_t* found) const {
  const auto& [image, box, voxels] = window_;
  const auto axis = [&](double c, std::int64_t n, std::int64_t origin, std::int64_t size) {
    const std::int64_t i = nearest_voxel(outside_, c, n);
    return i == kOutside ? kOutside : held_index(boundary_of(outside_), i, n, origin, size);
  };
  for (int i = 0; i < count; ++i) {
    const std::int64_t z = axis(at.z[i], image.z, box.origin.z, box.size.z);
    const std::int64_t y = axis(at.y[i], image.y, box.origin.y, box.size.y);
    const std::int64_t x = axis(at.x[i], image.x, box.origin.x, box.size.x);
    const bool is_outside = z == kOutside || y == kOutside || x == kOutside;
    found[i] = is_outside ? kOutside : (z * box.size.y + y) * voxels.pitch() + x;
  }
}

template <class T, class To>
void NearestVoxels::copy(const CoordinateRow& at, int count, To fill, To* to) const {
  const T* const voxels = reinterpret_cast<const T*>(window_.voxels.data());
  const auto take = [=](const T* from, const auto* found, bool has_absent) {
    if (has_absent)
      for (int i = 0; i < count; ++i) to[i] = found[i] < 0 ? fill : static_cast<To>(from[found[i]]);
    else
      for (int i = 0; i < count; ++i) to[i] = static_cast<To>(from[found[i]]);
  };
  if (is_near_) {
    std::int32_t found[kResampleRow];
    find_near(at, count, found);
    return take(voxels + first_, found, has_absent_);
  }
  std::int64_t found[kResampleRow];
  find_anywhere(at, count, found);
  take(voxels, found, true);
}

void NearestVoxels::copy_row(const CoordinateRow& at, double fill, const VoxelView& to) const {
  visit_pixel_type(to.type(), [&](auto zero) {
    using T = decltype(zero);
    copy<T>(at, static_cast<int>(to.extent().x), has_fill(outside_) ? static_cast<T>(fill) : T{},
            reinterpret_cast<T*>(to.data()));
  });
}

void NearestVoxels::read_row(const CoordinateRow& at, int count, double fill, double* to) const {
  visit_pixel_type(window_.voxels.type(),
                   [&](auto zero) { copy<decltype(zero)>(at, count, fill, to); });
}

}  // namespace synthoscope::kernels
