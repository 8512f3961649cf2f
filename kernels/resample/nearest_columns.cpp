// SPDX-License-Identifier: MIT
#include "kernels/resample/nearest_columns.hpp"
#include <algorithm>

namespace synthoscope::kernels {
namespace {

/// Positions in the held part of an axis that are nearest to its coordinates, or kOutside.
struct NearestAlong {
  NearestAlong(Outside outside, const double* coordinates, std::int64_t count, std::int64_t n,
               std::int64_t origin, std::int64_t size) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t nearest = nearest_voxel(outside, coordinates[i], n);
      at[i] = nearest == kOutside ? kOutside
                                  : held_index(boundary_of(outside), nearest, n, origin, size);
      has_absent |= at[i] == kOutside;
    }
  }
  std::int64_t at[kResampleRow];
  bool has_absent = false;
};

template <class T>
void take_columns(const T* row, const NearestAlong& in_x, std::int64_t count, T fill, T* to) {
  if (!row)
    std::fill_n(to, count, fill);
  else if (in_x.has_absent)
    for (std::int64_t x = 0; x < count; ++x)
      to[x] = in_x.at[x] == kOutside ? fill : row[in_x.at[x]];
  else
    for (std::int64_t x = 0; x < count; ++x) to[x] = row[in_x.at[x]];
}

}  // namespace

void copy_nearest_columns(const Lookup& lookup, const CoordinateRow& axes, const VoxelView& out,
                          const Box3& tile) {
  const Extent3& n = lookup.voxels->image;
  const Box3& box = lookup.voxels->box;
  const Index3& o = tile.origin;
  const Extent3& size = tile.size;
  const NearestAlong in_z{lookup.outside, axes.z, size.z, n.z, box.origin.z, box.size.z};
  const NearestAlong in_y{lookup.outside, axes.y, size.y, n.y, box.origin.y, box.size.y};
  const NearestAlong in_x{lookup.outside, axes.x, size.x, n.x, box.origin.x, box.size.x};
  visit_pixel_type(out.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto voxels = lookup.voxels->voxels.as<T>();
    const auto results = out.as<T>();
    const T fill = has_fill(lookup.outside) ? static_cast<T>(lookup.fill) : T{};
    const T *taken = nullptr, *made = nullptr;  // source and result of the row before
    for (std::int64_t z = 0; z < size.z; ++z)
      for (std::int64_t y = 0; y < size.y; ++y) {
        const bool is_absent = in_z.at[z] == kOutside || in_y.at[y] == kOutside;
        const T* const row = is_absent ? nullptr : voxels.row(in_z.at[z], in_y.at[y]);
        T* const to = &results(o.z + z, o.y + y, o.x);
        if (made && row == taken)
          std::copy_n(made, size.x, to);
        else
          take_columns(row, in_x, size.x, fill, to);
        taken = row;
        made = to;
      }
  });
}

}  // namespace synthoscope::kernels
