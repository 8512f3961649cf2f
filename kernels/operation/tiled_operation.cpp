// SPDX-License-Identifier: MIT
#include "kernels/operation/tiled_operation.hpp"
#include <algorithm>
#include <bit>
#include "core/run/stop.hpp"
#include "core/volume/stored_voxel.hpp"
#include "kernels/operation/copied_rows.hpp"
#include "kernels/operation/scratch.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kLineFloats = 16, kStoredLineBytes = 64;
constexpr std::int64_t kRowsAhead = 4;

/// Rounds values that are in the range of T, which has at most 16 bits.
/// @returns false if one is not; `to` is then undefined.
template <class T>
bool round_if_in_range(VectorLevel level, const float* from, std::int64_t count, T* to) {
  bool all = false;
  vectorised(level, [=, &all]() SYNTHOSCOPE_INLINE {
    // Local copies: for the compiler, `to` might point to captured variables
    const float* const values = from;
    T* const voxels = to;
    const int n = static_cast<int>(count);
    constexpr float kRounder = RoundingIn<float, true>::kRounder;
    constexpr auto kLowest = std::bit_cast<std::uint32_t>(kRounder + Rounding<T, float>::kLow);
    std::uint32_t bits = 0;
    for (int x = 0; x < n; ++x) {
      // After the rounder is added, the last bits of a float are its integer; other bits are set if
      // the value is NaN or beyond the range of T
      const auto integer = std::bit_cast<std::uint32_t>(values[x] + kRounder);
      bits |= integer - kLowest;
      voxels[x] = static_cast<T>(integer);
    }
    all = bits >> (8 * sizeof(T)) == 0;
  });
  return all;
}

/// @returns how many values were outside the range of T, NaN among them.
template <class T, class Real>
std::int64_t round_row(VectorLevel level, const Real* from, std::int64_t count, T* to) {
  if constexpr (std::is_same_v<Real, float> && sizeof(T) <= 2)
    if (round_if_in_range(level, from, count, to)) return 0;
  int inside = 0;
  vectorised(level, [=, &inside]() SYNTHOSCOPE_INLINE {
    const Real* const values = from;
    T* const voxels = to;
    const int n = static_cast<int>(count);
    int within = 0;
    for (int x = 0; x < n; ++x) {
      within += in_range<T>(values[x]) ? 1 : 0;
      voxels[x] = rounded<T>(values[x]);
    }
    inside = within;
  });
  return count - inside;
}

/// @returns how many values are NaN or infinite.
template <class T, class Real>
std::int64_t convert_row(VectorLevel level, const Real* from, std::int64_t count, T* to) {
  int finite = 0;
  vectorised(level, [=, &finite]() SYNTHOSCOPE_INLINE {
    const Real* const values = from;
    T* const voxels = to;
    const int n = static_cast<int>(count);
    int within = 0;
    for (int x = 0; x < n; ++x) {
      within += is_finite(values[x]) ? 1 : 0;
      voxels[x] = static_cast<T>(values[x]);
    }
    finite = within;
  });
  return count - finite;
}

std::int64_t non_finite(VectorLevel level, const float* values, std::int64_t count) {
  int finite = 0;
  vectorised(level, [=, &finite]() SYNTHOSCOPE_INLINE {
    const float* const from = values;
    const int n = static_cast<int>(count);
    int within = 0;
    for (int x = 0; x < n; ++x) within += is_finite(from[x]) ? 1 : 0;
    finite = within;
  });
  return count - finite;
}

}  // namespace

std::int64_t row_pitch(std::int64_t width) {
  return (parts_of(width, kLineFloats) | 1) * kLineFloats;
}

ResultRows::ResultRows(std::span<const VoxelView> out, const Box3& part, VectorLevel level)
    : out_{out}, part_{part}, level_{level} {
  std::int64_t bytes = 0;
  for (const VoxelView& result : out) bytes += result.bytes();
  streams_ = bytes >= kStreamedBytes;
}

template <class Real>
void ResultRows::store_any(std::int64_t z, std::int64_t y, const Real* row, std::size_t result) {
  const VoxelView to = part_of_row(out_[result], part_.origin.z + z, part_.origin.y + y,
                                   part_.origin.x, part_.size.x);
  stop_point();
  const bool streams = streams_ && std::is_same_v<Real, float> && to.type() == PixelType::float32;
  // Prefetch following rows before they are written
  if (!streams && y + kRowsAhead < part_.size.y) {
    const std::byte* const ahead =
        to.data() + kRowsAhead * out_[result].pitch() * size_of(to.type());
    for (std::int64_t at = 0; at < to.bytes(); at += kStoredLineBytes)
      __builtin_prefetch(ahead + at, 1);
  }
  visit_pixel_type(to.type(), [&](auto zero) {
    using T = decltype(zero);
    T* const voxels = to.as<T>().data();
    if constexpr (std::is_integral_v<T>) {
      const std::int64_t clipped = round_row(level_, row, part_.size.x, voxels);
      counts_.clipped += clipped;
      // All values that are not finite were clipped
      if (clipped > 0)
        counts_.non_finite += part_.size.x - std::count_if(row, row + part_.size.x, [](Real value) {
                                return is_finite(value);
                              });
    } else {
      if constexpr (std::is_same_v<Real, float>)
        if constexpr (std::is_same_v<T, Real>)
          if (streams) {
            counts_.non_finite += non_finite(level_, row, part_.size.x);
            return stream_row(row, part_.size.x, voxels);
          }
      counts_.non_finite += convert_row(level_, row, part_.size.x, voxels);
    }
  });
}

void ResultRows::store(std::int64_t z, std::int64_t y, const float* row, std::size_t result) {
  store_any(z, y, row, result);
}

void ResultRows::store(std::int64_t z, std::int64_t y, const double* row, std::size_t result) {
  store_any(z, y, row, result);
}

TiledOperation::TiledOperation(const NeighbourhoodSetting& setting, const Reach& reach)
    : setting_{setting}, reach_{reach} {
  if (!is_positive(setting.image))
    throw InvalidSpec(fmt::format(
        "filter: the image has the extent {}; give one with at least a voxel along each axis",
        setting.image));
}

void TiledOperation::count(const StoredCounts& counts) {
  clipped_ += counts.clipped;
  non_finite_ += counts.non_finite;
}

Box3 TiledOperation::around(const Box3& box) const {
  return {{box.origin.z - reach_.centre.z, box.origin.y - reach_.centre.y,
           box.origin.x - reach_.centre.x},
          {box.size.z + reach_.extent.z - 1, box.size.y + reach_.extent.y - 1,
           box.size.x + reach_.extent.x - 1}};
}

Box3 TiledOperation::needs(const Box3& box) const {
  return held_box(setting_.boundary, around(box), setting_.image);
}

std::int64_t TiledOperation::working_bytes(const Extent3& box, int threads) const {
  return threads * scratch_floats(tile_of(box)) * std::int64_t{sizeof(float)};
}

void TiledOperation::apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
                           TaskPool& pool) {
  const Extent3 tile = tile_of(box.size);
  ThreadScratch scratch{scratch_floats(tile), pool};
  for_each_tile(box, tile, pool, [&](const Box3& part, const Box3& absolute) {
    ResultRows rows{out, part, setting_.level};
    make_tile(in, absolute, scratch.mine(), rows);
    finish_streams();
    count(rows.counts());
  });
}

void TiledOperation::make(const Window& in, const Box3& box, std::span<const VoxelView> out,
                          float* scratch) {
  ResultRows rows{out, whole(box.size), setting_.level};
  make_tile(in, box, scratch, rows);
  finish_streams();
  count(rows.counts());
}

}  // namespace synthoscope::kernels
