// SPDX-License-Identifier: MIT
#include "kernels/resample_tile.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include "kernels/body/interpolation.hpp"
#include "kernels/resample_columns.hpp"
#include "kernels/resample_nearest.hpp"

namespace synthoscope::kernels {
namespace {

/// A copy of the voxels between coordinates is worth its time up to so many a voxel of the result.
constexpr std::int64_t kCopiedPerVoxel = 16, kTileVoxels = 8192;
constexpr std::int64_t kMostCopied = kCopiedPerVoxel * kTileVoxels;

struct AxisSpan {
  std::int64_t first, last;
};

/// Positions that count for coordinates of [low, high].
AxisSpan span_of(const Lookup& lookup, bool is_whole, double low, double high, std::int64_t n) {
  const PlacedRange range = placed_range(lookup.outside, low, high, n, kMargin);
  if (lookup.how == Interpolation::nearest)  // either of two that are equally near
    return {static_cast<std::int64_t>(std::ceil(range.low - 0.5)),
            static_cast<std::int64_t>(std::floor(range.high + 0.5))};
  const TapRange taps = taps_of(lookup.how, is_whole);
  return {static_cast<std::int64_t>(std::floor(range.low)) + taps.first,
          static_cast<std::int64_t>(std::floor(range.high)) + taps.first + taps.count - 1};
}

bool is_in_image(const CoordinateRange& range, const Extent3& image) {
  const auto& [low, high] = range;
  return is_within(low.z, image.z) && is_within(high.z, image.z) && is_within(low.y, image.y) &&
         is_within(high.y, image.y) && is_within(low.x, image.x) && is_within(high.x, image.x);
}

/// Whether no coordinate is one of the image; what is not a number may be.
bool is_all_outside(const CoordinateRange& range, const Extent3& image) {
  const auto misses = [](double low, double high, std::int64_t n) {
    return high < 0 || low > static_cast<double>(n - 1);
  };
  const auto& [low, high] = range;
  return misses(low.z, high.z, image.z) || misses(low.y, high.y, image.y) ||
         misses(low.x, high.x, image.x);
}

Box3 shifted(const Box3& box, const Index3& by) {
  return {{box.origin.z + by.z, box.origin.y + by.y, box.origin.x + by.x}, box.size};
}

bool holds(const Box3& outer, const Box3& inner) {
  return intersection(outer, inner).size == inner.size;
}

double voxels_in(const Extent3& e) {
  return static_cast<double>(e.z) * static_cast<double>(e.y) * static_cast<double>(e.x);
}

/// Coordinates of an axis, and which of them have no value.
struct PlacedAxis {
  double c[kResampleRow];
  bool absent[kResampleRow];

  /// @returns whether any has none.
  bool place(Outside outside, std::int64_t n, std::int64_t count) {
    bool any = false;
    for (std::int64_t i = 0; i < count; ++i) {
      absent[i] = outside == Outside::zero && !has_value(c[i], n);
      any |= absent[i];
      c[i] = placed(outside, c[i], n, kMargin);
    }
    return any;
  }
};

/// Coordinates of a box of a result, or of a row.
struct PlacedAxes {
  PlacedAxis z, y, x;
  CoordinateRow at() { return {z.c, y.c, x.c}; }
};

/// The voxels that a tile needs as float32 in one piece, where they are or copied.
std::optional<FloatVoxels> dense_voxels(const Lookup& lookup, const Box3& tile,
                                        const Box3& positions, bool is_inside, float* copy) {
  const Window& window = *lookup.voxels;
  const Box3 there = shifted(positions, lookup.shift);
  if (lookup.strategy == ResampleStrategy::pixel) return std::nullopt;
  const bool may_lie_there = lookup.strategy != ResampleStrategy::tile && is_inside;
  if (may_lie_there && window.voxels.type() == PixelType::float32 && holds(window.box, there)) {
    const auto voxels = window.voxels.as<float>();
    const std::int64_t plane = voxels.extent().y * voxels.pitch();
    if (positions.size.z * plane <= std::numeric_limits<std::int32_t>::max())
      return FloatVoxels{
          voxels.row(there.origin.z - window.box.origin.z, there.origin.y - window.box.origin.y) +
              (there.origin.x - window.box.origin.x),
          positions.origin, plane, voxels.pitch()};
  }
  const double most = static_cast<double>(kCopiedPerVoxel) * voxels_in(tile.size) + 4096;
  if (voxels_in(positions.size) > std::min(most, static_cast<double>(kMostCopied)))
    return std::nullopt;
  copy_positions(window, boundary_of(lookup.outside), there, static_cast<float>(lookup.fill),
                 HostView3<float>{copy, positions.size});
  return FloatVoxels{copy, positions.origin, positions.size.y * positions.size.x, positions.size.x};
}

/// Where each coordinate depends on its own axis alone.
void make_columns(const Lookup& lookup, const Box3& tile, bool is_inside, const FloatVoxels& voxels,
                  const Extent3& held, float* scratch, ResultRows& rows) {
  PlacedAxes axes;
  const auto& [o, size] = tile;
  double other[3];
  for (std::int64_t z = 0; z < size.z; ++z)
    lookup.map.row(o.z + z, o.y, o.x, 1, {axes.z.c + z, other, other + 1});
  for (std::int64_t y = 0; y < size.y; ++y)
    lookup.map.row(o.z, o.y + y, o.x, 1, {other, axes.y.c + y, other + 1});
  double others[kResampleRow];
  lookup.map.row(o.z, o.y, o.x, size.x, {others, others, axes.x.c});
  bool any_z = false, any_y = false, any_x = false;
  if (!is_inside) {
    any_z = axes.z.place(lookup.outside, lookup.image.z, size.z);
    any_y = axes.y.place(lookup.outside, lookup.image.y, size.y);
    any_x = axes.x.place(lookup.outside, lookup.image.x, size.x);
  }
  const auto fill = static_cast<float>(lookup.fill);
  float* const made = scratch + ColumnTile::floats(held);
  const ColumnTile columns{lookup.how, lookup.whole, lookup.level, axes.at(),
                           size,       voxels,       held,         scratch};
  for (std::int64_t z = 0; z < size.z; ++z) {
    columns.plane(z, made);
    for (std::int64_t y = 0; y < size.y; ++y) {
      float* const row = made + y * size.x;
      if ((any_z && axes.z.absent[z]) || (any_y && axes.y.absent[y]))
        std::fill_n(row, size.x, fill);
      else if (any_x)
        for (std::int64_t x = 0; x < size.x; ++x) row[x] = axes.x.absent[x] ? fill : row[x];
      rows.store(z, y, row);
    }
  }
}

/// Row by row, from voxels in one piece if there are, else from where they are.
void make_rows(const Lookup& lookup, const Box3& tile, bool is_inside,
               const std::optional<FloatVoxels>& dense, ResultRows& rows) {
  PlacedAxes axes;
  float made[kResampleRow];
  const auto fill = static_cast<float>(lookup.fill);
  const int count = static_cast<int>(tile.size.x);
  for (std::int64_t z = 0; z < tile.size.z; ++z)
    for (std::int64_t y = 0; y < tile.size.y; ++y) {
      lookup.map.row(tile.origin.z + z, tile.origin.y + y, tile.origin.x, count, axes.at());
      bool has_absent = false;
      if (!is_inside) {
        has_absent |= axes.z.place(lookup.outside, lookup.image.z, count);
        has_absent |= axes.y.place(lookup.outside, lookup.image.y, count);
        has_absent |= axes.x.place(lookup.outside, lookup.image.x, count);
      }
      if (dense)
        interpolate_row(lookup.how, lookup.whole, lookup.level, axes.at(), count, *dense, made);
      else
        interpolate_sparse_row(lookup.how, lookup.whole, axes.at(), count, *lookup.voxels,
                               boundary_of(lookup.outside), lookup.shift, fill, made);
      if (has_absent)
        for (int i = 0; i < count; ++i)
          if (axes.z.absent[i] || axes.y.absent[i] || axes.x.absent[i]) made[i] = fill;
      rows.store(z, y, made);
    }
}

}  // namespace

Box3 positions_of(const Lookup& lookup, const Box3& box) {
  const auto& [low, high] = lookup.map.range(box);
  const auto& image = lookup.image;
  const AxisSpan z = span_of(lookup, lookup.whole.z, low.z, high.z, image.z);
  const AxisSpan y = span_of(lookup, lookup.whole.y, low.y, high.y, image.y);
  const AxisSpan x = span_of(lookup, false, low.x, high.x, image.x);
  return {{z.first, y.first, x.first},
          {z.last - z.first + 1, y.last - y.first + 1, x.last - x.first + 1}};
}

Extent3 resample_tile(const Extent3& box, bool is_columns) {
  // In planes squares are nearly as narrow when they are turned; through planes cubes are
  if (is_columns) return box.z == 1 ? Extent3{1, 64, 128} : Extent3{8, 8, 128};
  return box.z == 1 ? Extent3{1, 64, 64} : Extent3{16, 16, 32};
}

std::int64_t tile_floats() {
  // A copy, sums of it along z and y, and a plane of the tile
  return 2 * kMostCopied + kTileVoxels;
}

void make_tile(const Lookup& lookup, const Box3& tile, float* scratch, ResultRows& rows) {
  const CoordinateRange range = lookup.map.range(tile);
  if (lookup.outside == Outside::zero && is_all_outside(range, lookup.image)) {
    float fill[kResampleRow];
    std::fill_n(fill, tile.size.x, static_cast<float>(lookup.fill));
    for (std::int64_t z = 0; z < tile.size.z; ++z)
      for (std::int64_t y = 0; y < tile.size.y; ++y) rows.store(z, y, fill);
    return;
  }
  const bool is_inside = is_in_image(range, lookup.image);
  const Box3 positions = positions_of(lookup, tile);
  const auto dense = dense_voxels(lookup, tile, positions, is_inside, scratch);
  const bool may_share = lookup.is_columns && lookup.strategy != ResampleStrategy::tile;
  if (dense && may_share && ColumnTile::floats(positions.size) <= kMostCopied)
    make_columns(lookup, tile, is_inside, *dense, positions.size, scratch + kMostCopied, rows);
  else
    make_rows(lookup, tile, is_inside, dense, rows);
}

void copy_tile(const Lookup& lookup, const Box3& tile, VoxelView out, const Index3& part,
               ResultRows& rows) {
  const Window& window = *lookup.voxels;
  const bool is_inside = is_in_image(lookup.map.range(tile), lookup.image) &&
                         holds(window.box, positions_of(lookup, tile));
  const bool is_same_type = out.type() == window.voxels.type();
  PlacedAxes axes;
  const CoordinateRow at = axes.at();
  const int count = static_cast<int>(tile.size.x);
  std::int64_t found[kResampleRow];
  for (std::int64_t z = 0; z < tile.size.z; ++z)
    for (std::int64_t y = 0; y < tile.size.y; ++y) {
      lookup.map.row(tile.origin.z + z, tile.origin.y + y, tile.origin.x, count, at);
      find_nearest_row(window, lookup.outside, is_inside, at, count, found);
      visit_pixel_type(window.voxels.type(), [&](auto zero) {
        using T = decltype(zero);
        const T* const from = window.voxels.as<T>().data();
        const auto copy = [&](auto fill, auto* to) {
          for (int i = 0; i < count; ++i)
            to[i] = found[i] == kOutside ? fill : static_cast<decltype(fill)>(from[found[i]]);
        };
        if (is_same_type) {  // values stay what they are, also those that double does not hold
          const VoxelView row = part_of_row(out, part.z + z, part.y + y, part.x, count);
          return copy(has_fill(lookup.outside) ? static_cast<T>(lookup.fill) : T{},
                      row.as<T>().data());
        }
        double values[kResampleRow];
        copy(lookup.fill, values);
        rows.store(z, y, values);
      });
    }
}

}  // namespace synthoscope::kernels
