// SPDX-License-Identifier: MIT
#include "kernels/operation/window.hpp"
#include <algorithm>
#include <type_traits>
#include "core/run/stop.hpp"
#include "core/vector/vector_level.hpp"

namespace synthoscope::kernels {
namespace {

/// A half-open part of an axis.
struct Interval {
  std::int64_t origin, size;
};

Interval inside(std::int64_t low, std::int64_t high) {
  return {low, high - low};
}

/// Returns what must be held of an axis of length `n` to know the positions [low, high).
Interval held(Boundary boundary, std::int64_t low, std::int64_t high, std::int64_t n) {
  if (low >= 0 && high <= n) return inside(low, high);
  switch (boundary) {
    case Boundary::zero:
    case Boundary::nearest: {
      // At least a voxel: nearest needs one even far away, and no window is empty
      const std::int64_t first = std::clamp<std::int64_t>(low, 0, n - 1);
      return inside(first, std::clamp<std::int64_t>(high, first + 1, n));
    }
    case Boundary::wrap:
      return high - low <= n ? inside(low, high) : inside(0, n);
    case Boundary::reflect:
    case Boundary::mirror:
      break;
  }
  if (low <= -n || high >= 2 * n) return inside(0, n);
  // Beyond a face positions are mapped in order, so the ends are the limits
  const bool meets_image = low < n && high > 0;
  std::int64_t first = meets_image ? std::max<std::int64_t>(low, 0) : n;
  std::int64_t last = meets_image ? std::min(high, n) : 0;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    for (const std::int64_t i : {from, to}) {
      const std::int64_t j = mapped_index(boundary, i, n);
      first = std::min(first, j);
      last = std::max(last, j + 1);
    }
  };
  if (low < 0) add(low, std::min<std::int64_t>(high - 1, -1));
  if (high > n) add(std::max(low, n), high - 1);
  return inside(first, last);
}

/// Converts `count` contiguous voxels of the type From.
template <class T, class From>
void convert(const From* from, std::int64_t count, T* to) {
  if constexpr (std::is_same_v<T, From>)
    std::copy_n(from, count, to);
  else
    vectorised(vector_level(), [=]() SYNTHOSCOPE_INLINE {
      for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
    });
}

template <class T, class From>
void copy_typed(const Window& window, Boundary boundary, const Box3& positions, T fill,
                HostView3<T> to) {
  const HostView3<const From> from = window.voxels.as<From>();
  const Box3& box = window.box;
  const std::int64_t left = positions.origin.x, right = left + positions.size.x;
  // Voxels in the window are contiguous; the others are mapped one by one
  const std::int64_t begin = std::clamp(box.origin.x, left, right);
  const std::int64_t end = std::clamp(box.origin.x + box.size.x, begin, right);
  for (std::int64_t z = 0; z < positions.size.z; ++z) {
    stop_point();
    const std::int64_t from_z =
        held_index(boundary, positions.origin.z + z, window.image.z, box.origin.z, box.size.z);
    for (std::int64_t y = 0; y < positions.size.y; ++y) {
      const std::int64_t from_y =
          held_index(boundary, positions.origin.y + y, window.image.y, box.origin.y, box.size.y);
      T* const row = to.row(z, y);
      if (from_z == kOutside || from_y == kOutside) {
        std::fill_n(row, positions.size.x, fill);
        continue;
      }
      const From* const voxels = from.row(from_z, from_y);
      const auto by_map = [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t x = first; x < last; ++x) {
          const std::int64_t at = held_index(boundary, x, window.image.x, box.origin.x, box.size.x);
          row[x - left] = at == kOutside ? fill : static_cast<T>(voxels[at]);
        }
      };
      by_map(left, begin);
      convert(voxels + (begin - box.origin.x), end - begin, row + (begin - left));
      by_map(end, right);
    }
  }
}

}  // namespace

Window whole_window(ConstVoxelView image) {
  return {image.extent(), whole(image.extent()), image};
}

Box3 held_box(Boundary boundary, const Box3& positions, const Extent3& image) {
  const auto of = [&](std::int64_t origin, std::int64_t size, std::int64_t n) {
    return held(boundary, origin, origin + size, n);
  };
  const Interval z = of(positions.origin.z, positions.size.z, image.z);
  const Interval y = of(positions.origin.y, positions.size.y, image.y);
  const Interval x = of(positions.origin.x, positions.size.x, image.x);
  return {{z.origin, y.origin, x.origin}, {z.size, y.size, x.size}};
}

template <class T>
void copy_positions(const Window& window, Boundary boundary, const Box3& positions, T fill,
                    HostView3<T> to) {
  SYNTHOSCOPE_ASSERT(to.extent(), ==, positions.size);
  if constexpr (std::is_floating_point_v<T>)
    visit_pixel_type(window.voxels.type(), [&](auto zero) {
      copy_typed<T, decltype(zero)>(window, boundary, positions, fill, to);
    });
  else
    copy_typed<T, T>(window, boundary, positions, fill, to);
}

template void copy_positions(const Window&, Boundary, const Box3&, std::int8_t,
                             HostView3<std::int8_t>);
template void copy_positions(const Window&, Boundary, const Box3&, std::uint8_t,
                             HostView3<std::uint8_t>);
template void copy_positions(const Window&, Boundary, const Box3&, std::int16_t,
                             HostView3<std::int16_t>);
template void copy_positions(const Window&, Boundary, const Box3&, std::uint16_t,
                             HostView3<std::uint16_t>);
template void copy_positions(const Window&, Boundary, const Box3&, std::int32_t,
                             HostView3<std::int32_t>);
template void copy_positions(const Window&, Boundary, const Box3&, std::uint32_t,
                             HostView3<std::uint32_t>);
template void copy_positions(const Window&, Boundary, const Box3&, float, HostView3<float>);
template void copy_positions(const Window&, Boundary, const Box3&, double, HostView3<double>);

VoxelView part_of_row(const VoxelView& volume, std::int64_t z, std::int64_t y, std::int64_t x,
                      std::int64_t count) {
  const std::int64_t at = (z * volume.extent().y + y) * volume.pitch() + x;
  return {volume.data() + at * size_of(volume.type()), volume.type(), {1, 1, count}};
}

}  // namespace synthoscope::kernels
