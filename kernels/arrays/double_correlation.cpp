// SPDX-License-Identifier: MIT
#include "kernels/arrays/double_correlation.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include "core/base/round_up.hpp"
#include "kernels/lanes/counted_doubles.hpp"
#include "kernels/lanes/lanes.hpp"
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {
namespace {

// Most doubles that a tile is computed from, so that a second-level cache holds them
constexpr std::int64_t kTileDoubles = 64 * 1024;
constexpr Extent3 kLargestTile{16, 64, 512};
// Narrower rows are summed together with the rows below them, including the voxels between
constexpr std::int64_t kNarrow = 64;

struct Tap {
  std::int64_t offset;  ///< from the position of the first weight
  double weight;
};

Extent3 around(const Extent3& tile, const Extent3& weights) {
  return {tile.z + weights.z - 1, tile.y + weights.y - 1, tile.x + weights.x - 1};
}

/// Halves the axis along which a tile is longest relative to its weights until it fits.
Extent3 tile_for(const Extent3& image, const Extent3& weights) {
  Extent3 tile{std::min(image.z, kLargestTile.z), 0, std::min(image.x, kLargestTile.x)};
  tile.y = std::min(image.y, kLargestTile.y * (tile.x < kNarrow ? kLargestTile.x / tile.x : 1));
  while (volume(around(tile, weights)) > kTileDoubles) {
    const auto beside = [](std::int64_t n, std::int64_t weight) {
      return n > 1 ? static_cast<double>(n) / static_cast<double>(weight) : 0.0;
    };
    const double z = beside(tile.z, weights.z), y = beside(tile.y, weights.y);
    const double x = beside(tile.x, 8 * weights.x);  // vectors need long rows
    if (z + y + x == 0) break;
    std::int64_t& longest = z >= y && z >= x ? tile.z : y >= x ? tile.y : tile.x;
    longest = (longest + 1) / 2;
  }
  return tile;
}

std::vector<Tap> taps_of(const Stencil& stencil, const Extent3& held) {
  constexpr double kNone = std::numeric_limits<double>::epsilon();
  std::vector<Tap> taps;
  const double* weight = stencil.weights.data();
  for (std::int64_t z = 0; z < stencil.extent.z; ++z)
    for (std::int64_t y = 0; y < stencil.extent.y; ++y)
      for (std::int64_t x = 0; x < stencil.extent.x; ++x, ++weight)
        if (std::fabs(*weight) > kNone) taps.push_back({(z * held.y + y) * held.x + x, *weight});
  return taps;
}

template <class Vectors, int kVectors>
SYNTHOSCOPE_INLINE inline void sum_block(const double* from, const Tap* taps, std::int64_t count,
                                         double* to) {
  constexpr int kCount = Vectors::kCount;
  typename Vectors::Vector sums[kVectors] = {};
  for (std::int64_t k = 0; k < count; ++k)
    for (int v = 0; v < kVectors; ++v)
      sums[v] += Vectors::at(from + taps[k].offset + v * kCount) * taps[k].weight;
  for (int v = 0; v < kVectors; ++v) Vectors::store(sums[v], to + v * kCount);
}

/// Computes a row of results. The last vector begins so that it ends with the row.
void sum_row(VectorLevel level, const double* from, const std::vector<Tap>& taps,
             std::int64_t length, double* to) {
  const Tap* const first = taps.data();
  const auto count = static_cast<std::int64_t>(taps.size());
  with_lanes(level, [=](auto lanes) SYNTHOSCOPE_INLINE {
    using Vectors = DoubleLanes<decltype(lanes)::value>;
    constexpr int kVectors = 4, kBlock = kVectors * Vectors::kCount;
    std::int64_t x = 0;
    for (; x + kBlock <= length; x += kBlock)
      sum_block<Vectors, kVectors>(from + x, first, count, to + x);
    for (; x < length && length >= Vectors::kCount; x += Vectors::kCount) {
      const std::int64_t at = std::min<std::int64_t>(x, length - Vectors::kCount);
      sum_block<Vectors, 1>(from + at, first, count, to + at);
    }
    for (; x < length; ++x) sum_block<OneDouble, 1>(from + x, first, count, to + x);
  });
}

/// Copies the voxels that `tile` needs, with the distances between rows and planes of `to`.
void copy_tile(const ConstVoxelView& from, const DoubleCorrelation& correlation, const Box3& tile,
               HostView3<double> to) {
  const Stencil& stencil = correlation.stencil;
  const Extent3 size = around(tile.size, stencil.extent);
  const Index3 at{tile.origin.z - stencil.centre.z, tile.origin.y - stencil.centre.y,
                  tile.origin.x - stencil.centre.x};
  for (std::int64_t z = 0; z < size.z; ++z) {
    const Extent3 plane{1, size.y, size.x};
    copy_positions(whole_window(from), correlation.boundary, {{at.z + z, at.y, at.x}, plane},
                   correlation.fill, HostView3<double>{to.row(z, 0), plane, to.extent().x});
  }
}

void store(const DoubleCorrelation& correlation, const double* sums, const Index3& first,
           std::int64_t count, const VoxelView& to) {
  const VoxelView row = part_of_row(to, first.z, first.y, first.x, count);
  visit_pixel_type(to.type(), [&](auto zero) {
    store_row(correlation.level, sums, count, correlation.storing, row.as<decltype(zero)>().data());
  });
}

}  // namespace

void correlate_in_double(const DoubleCorrelation& correlation, const ConstVoxelView& from,
                         const VoxelView& to, const RunContext& context) {
  const StopScope stops{context.stop};
  const Stencil& stencil = correlation.stencil;
  require_usable(stencil);
  SYNTHOSCOPE_ASSERT(to.extent(), ==, from.extent());
  const Extent3 image = from.extent(), tile = tile_for(image, stencil.extent);
  const Extent3 held = around(tile, stencil.extent);
  const std::vector<Tap> taps = taps_of(stencil, held);
  const std::int64_t held_doubles = round_up(volume(held), std::int64_t{8});
  const std::int64_t rows = tile.x < kNarrow ? kNarrow : 1;  // summed at once
  const std::int64_t doubles = held_doubles + round_up(rows * held.x, std::int64_t{8});
  const HostBuffer<double> scratch =
      counted_doubles(context.memory, context.pool.threads() * doubles, "correlate tiles");

  const Extent3 tiles{parts_of(image.z, tile.z), parts_of(image.y, tile.y),
                      parts_of(image.x, tile.x)};
  context.pool.for_each(volume(tiles), [&](std::int64_t number) {
    const Index3 at{number / (tiles.y * tiles.x) * tile.z, number / tiles.x % tiles.y * tile.y,
                    number % tiles.x * tile.x};
    const Extent3 part = intersection({at, tile}, whole(image)).size;
    double* const voxels = scratch.data() + TaskPool::slot() * doubles;
    double* const sums = voxels + held_doubles;
    copy_tile(from, correlation, {at, part}, {voxels, held});
    for (std::int64_t z = 0; z < part.z; ++z) {
      const double* const plane = voxels + z * held.y * held.x;
      for (std::int64_t y = 0; y < part.y; y += rows) {
        const std::int64_t count = std::min(rows, part.y - y);
        stop_point();
        sum_row(correlation.level, plane + y * held.x, taps, (count - 1) * held.x + part.x, sums);
        for (std::int64_t row = 0; row < count; ++row)
          store(correlation, sums + row * held.x, {at.z + z, at.y + y + row, at.x}, part.x, to);
      }
    }
  });
}

}  // namespace synthoscope::kernels
