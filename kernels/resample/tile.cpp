// SPDX-License-Identifier: MIT
#include "kernels/resample/tile.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include "core/base/names.hpp"
#include "kernels/body/interpolation.hpp"
#include "kernels/resample/columns.hpp"
#include "kernels/resample/nearest.hpp"
#include "kernels/resample/nearest_columns.hpp"
#include "kernels/resample/rows_ahead.hpp"

namespace synthoscope::kernels {
namespace {

/// Copying the voxels between coordinates pays up to this many for each voxel of the result.
constexpr std::int64_t kCopiedPerVoxel = 16, kTileVoxels = 8192;
constexpr std::int64_t kMaxCopied = kCopiedPerVoxel * kTileVoxels;

constexpr NameTable<ResampleStrategy, 5> kResampleStrategyNames{
    {{ResampleStrategy::automatic, "auto"},
     {ResampleStrategy::pixel, "pixel"},
     {ResampleStrategy::column, "column"},
     {ResampleStrategy::tile, "tile"},
     {ResampleStrategy::texture, "texture"}}};

struct AxisSpan {
  std::int64_t first, last;
};

/// Returns the positions that count for coordinates in [low, high].
AxisSpan span_of(const Lookup& lookup, bool is_whole, double low, double high, std::int64_t n) {
  const PlacedRange range = placed_range(lookup.outside, low, high, n);
  if (lookup.how == Interpolation::nearest)  // both of two that are equally near
    return {static_cast<std::int64_t>(std::ceil(range.low - 0.5)),
            static_cast<std::int64_t>(std::floor(range.high + 0.5))};
  const TapRange taps = taps_of(lookup.how, is_whole);
  return {static_cast<std::int64_t>(std::floor(range.low)) + taps.first,
          static_cast<std::int64_t>(std::floor(range.high)) + taps.first + taps.count - 1};
}

/// The axes along which all coordinates lie in the image.
struct InImage {
  bool z, y, x;
  [[nodiscard]] bool all() const { return z && y && x; }
};

InImage in_image(const CoordinateRange& range, const Extent3& image) {
  const auto& [low, high] = range;
  return {is_within(low.z, image.z) && is_within(high.z, image.z),
          is_within(low.y, image.y) && is_within(high.y, image.y),
          is_within(low.x, image.x) && is_within(high.x, image.x)};
}

/// Returns whether no coordinate has a value under Outside::zero; a NaN may have one.
bool is_all_outside(const CoordinateRange& range, const Extent3& image) {
  const auto misses = [](double low, double high, std::int64_t n) {
    return high < -kBesideFace || low > static_cast<double>(n - 1) + kBesideFace;
  };
  const auto& [low, high] = range;
  return misses(low.z, high.z, image.z) || misses(low.y, high.y, image.y) ||
         misses(low.x, high.x, image.x);
}

bool holds(const Box3& outer, const Box3& inner) {
  return intersection(outer, inner).size == inner.size;
}

double voxels_in(const Extent3& e) {
  return static_cast<double>(e.z) * static_cast<double>(e.y) * static_cast<double>(e.x);
}

/// Coordinates of a box of a result, or of a row.
struct PlacedAxes {
  // Whole vectors are stored, in whole cache lines
  alignas(64) double z[kResampleRow], y[kResampleRow], x[kResampleRow];
  CoordinateRow at() { return {z, y, x}; }
};

/// Which voxels of a row have no value; at first all have one.
struct Absent {
  std::int32_t is[kResampleRow] = {};
};

/// Moves coordinates of an axis to where they are looked up, and adds to `absent` those without a
/// value.
/// @returns whether there are any.
bool place(const Lookup& lookup, std::int64_t n, std::int64_t count, double* coordinates,
           Absent& absent) {
  const Outside outside = lookup.outside;
  if (outside != Outside::nearest && !has_fill(outside)) {
    for (std::int64_t i = 0; i < count; ++i) coordinates[i] = placed(outside, coordinates[i], n);
    return false;
  }
  // What `placed` does, in vectors
  const PlacedRange all = placed_range(outside, -INFINITY, INFINITY, n);
  bool any = false;
  vectorised(lookup.level, [=, &absent, &any]() SYNTHOSCOPE_INLINE {
    const double low = all.low, high = all.high;
    const int to = static_cast<int>(count);
    double* const c = coordinates;
    int beside = 0;
    for (int i = 0; i < to; ++i) beside |= ((c[i] >= low) & (c[i] <= high)) ? 0 : 1;
    if (beside == 0) return;
    if (outside == Outside::zero) {
      int misses = 0;
      for (int i = 0; i < to; ++i) {
        const int is_absent = has_value(c[i], n) ? 0 : 1;
        absent.is[i] |= is_absent;
        misses |= is_absent;
      }
      any = misses != 0;
    }
    for (int i = 0; i < to; ++i) {
      const double limited = c[i] >= low ? c[i] : low;  // NaN becomes low
      c[i] = limited > high ? high : limited;
    }
  });
  return any;
}

/// Returns the voxels that a tile needs as one array of float32, from the window or copied; nothing
/// if they must be read one by one.
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
  if (voxels_in(positions.size) > std::min(most, static_cast<double>(kMaxCopied)))
    return std::nullopt;
  copy_positions(window, boundary_of(lookup.outside), there, static_cast<float>(lookup.fill),
                 HostView3<float>{copy, positions.size});
  return FloatVoxels{copy, positions.origin, positions.size.y * positions.size.x, positions.size.x};
}

/// Returns the coordinates of a tile's planes, rows and columns; each depends on its own axis
/// alone.
PlacedAxes axes_of(const CoordinateMap& map, const Box3& tile) {
  PlacedAxes axes;
  const auto& [o, size] = tile;
  double other[3], others[kResampleRow];
  for (std::int64_t z = 0; z < size.z; ++z)
    map.row(o.z + z, o.y, o.x, 1, {axes.z + z, other, other + 1});
  for (std::int64_t y = 0; y < size.y; ++y)
    map.row(o.z, o.y + y, o.x, 1, {other, axes.y + y, other + 1});
  map.row(o.z, o.y, o.x, size.x, {others, others, axes.x});
  return axes;
}

/// Makes a tile if each coordinate depends on its own axis alone.
void make_columns(const Lookup& lookup, const Box3& tile, const InImage& inside,
                  const FloatVoxels& voxels, const Extent3& held, float* scratch,
                  ResultRows& rows) {
  const auto& [o, size] = tile;
  PlacedAxes axes = axes_of(lookup.map, tile);
  Absent in_z, in_y, in_x;
  if (!inside.z) place(lookup, lookup.image.z, size.z, axes.z, in_z);
  if (!inside.y) place(lookup, lookup.image.y, size.y, axes.y, in_y);
  const bool any_x = !inside.x && place(lookup, lookup.image.x, size.x, axes.x, in_x);
  const auto fill = static_cast<float>(lookup.fill);
  float* const made = scratch + ColumnTile::floats(held);
  const ColumnTile columns{lookup.how, lookup.whole, lookup.level, axes.at(),
                           size,       voxels,       held,         scratch};
  for (std::int64_t z = 0; z < size.z; ++z) {
    columns.plane(z, made);
    for (std::int64_t y = 0; y < size.y; ++y) {
      float* const row = made + y * size.x;
      if (in_z.is[z] || in_y.is[y])
        std::fill_n(row, size.x, fill);
      else if (any_x)
        for (std::int64_t x = 0; x < size.x; ++x) row[x] = in_x.is[x] ? fill : row[x];
      rows.store(z, y, row);
    }
  }
}

/// Makes a tile row by row, from the `dense` array if there is one, otherwise from the window.
void make_rows(const Lookup& lookup, const Box3& tile, const Box3& positions, const InImage& inside,
               const std::optional<FloatVoxels>& dense, ResultRows& rows) {
  PlacedAxes axes;
  Absent absent;
  float made[kResampleRow];
  const auto fill = static_cast<float>(lookup.fill);
  const int count = static_cast<int>(tile.size.x);
  RowsAhead ahead{tile.size.z * tile.size.y};
  if (dense && inside.all())
    ahead.expect(reinterpret_cast<const std::byte*>(dense->data), positions.size, sizeof(float),
                 dense->pitch, dense->plane);
  for (std::int64_t z = 0; z < tile.size.z; ++z)
    for (std::int64_t y = 0; y < tile.size.y; ++y) {
      ahead.next();
      lookup.map.row(tile.origin.z + z, tile.origin.y + y, tile.origin.x, count, axes.at());
      bool has_absent = false;
      if (!inside.z) has_absent |= place(lookup, lookup.image.z, count, axes.z, absent);
      if (!inside.y) has_absent |= place(lookup, lookup.image.y, count, axes.y, absent);
      if (!inside.x) has_absent |= place(lookup, lookup.image.x, count, axes.x, absent);
      if (dense)
        interpolate_row(lookup.how, lookup.whole, lookup.level, axes.at(), count, *dense, made);
      else
        interpolate_sparse_row(lookup.how, lookup.whole, axes.at(), count, *lookup.voxels,
                               boundary_of(lookup.outside), lookup.shift, fill, made);
      if (has_absent) {
        for (int i = 0; i < count; ++i) made[i] = absent.is[i] ? fill : made[i];
        absent = {};
      }
      rows.store(z, y, made);
    }
}

}  // namespace

std::optional<ResampleStrategy> resample_strategy_named(std::string_view name) {
  return named_in(kResampleStrategyNames, name);
}

std::string_view name_of(ResampleStrategy strategy) {
  return name_in(kResampleStrategyNames, strategy);
}

Box3 positions_of(const Lookup& lookup, const Box3& box) {
  const auto& [low, high] = lookup.map.range(box);
  const auto& image = lookup.image;
  const AxisSpan z = span_of(lookup, lookup.whole.z, low.z, high.z, image.z);
  const AxisSpan y = span_of(lookup, lookup.whole.y, low.y, high.y, image.y);
  const AxisSpan x = span_of(lookup, false, low.x, high.x, image.x);
  return {{z.first, y.first, x.first},
          {z.last - z.first + 1, y.last - y.first + 1, x.last - x.first + 1}};
}

Extent3 resample_tile(const Lookup& lookup, const Extent3& box) {
  const bool is_plane = box.z == 1;
  if (lookup.is_columns) return is_plane ? Extent3{1, 64, 128} : Extent3{8, 8, 128};
  // Long rows are fast, but the box around turned rows is wide: it may have to be copied
  if (is_plane) return {1, 64, 128};
  return lookup.how == Interpolation::nearest ? Extent3{8, 8, 128} : Extent3{8, 16, 64};
}

std::int64_t tile_floats() {
  // A copy, sums of it along z and y, and a plane of the tile
  return 2 * kMaxCopied + kTileVoxels;
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
  const InImage inside = in_image(range, lookup.image);
  const Box3 positions = positions_of(lookup, tile);
  const auto dense = dense_voxels(lookup, tile, positions, inside.all(), scratch);
  const bool may_share = lookup.is_columns && lookup.strategy != ResampleStrategy::tile;
  if (dense && may_share && ColumnTile::floats(positions.size) <= kMaxCopied)
    make_columns(lookup, tile, inside, *dense, positions.size, scratch + kMaxCopied, rows);
  else
    make_rows(lookup, tile, positions, inside, dense, rows);
}

void copy_tile(const Lookup& lookup, const Box3& tile, VoxelView out, const Index3& part,
               ResultRows& rows) {
  const Window& window = *lookup.voxels;
  const bool is_same_type = out.type() == window.voxels.type();
  if (is_same_type && lookup.is_columns && lookup.strategy != ResampleStrategy::pixel)
    return copy_nearest_columns(lookup, axes_of(lookup.map, tile).at(), out, {part, tile.size});
  const NearestVoxels nearest{window, lookup.outside, lookup.map.range(tile), lookup.level};
  PlacedAxes axes;
  const CoordinateRow at = axes.at();
  const std::int64_t count = tile.size.x;
  RowsAhead ahead{tile.size.z * tile.size.y};
  nearest.expect(ahead);
  for (std::int64_t z = 0; z < tile.size.z; ++z)
    for (std::int64_t y = 0; y < tile.size.y; ++y) {
      ahead.next();
      lookup.map.row(tile.origin.z + z, tile.origin.y + y, tile.origin.x, count, at);
      if (is_same_type) {  // values do not change, even if a double cannot represent them
        nearest.copy_row(at, lookup.fill, part_of_row(out, part.z + z, part.y + y, part.x, count));
        continue;
      }
      double values[kResampleRow];
      nearest.read_row(at, static_cast<int>(count), lookup.fill, values);
      rows.store(z, y, values);
    }
}

}  // namespace synthoscope::kernels
