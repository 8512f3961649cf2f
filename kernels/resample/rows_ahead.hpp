// SPDX-License-Identifier: MIT
// kernels/resample/rows_ahead.hpp — prefetches the voxels that a tile looks up while earlier rows
// are made: turned rows cross so many rows of voxels that no processor predicts them.
#pragma once
#include <algorithm>
#include <cstddef>
#include "core/volume/extent.hpp"

namespace synthoscope::kernels {

/// Prefetches the rows of a box, an equal number for every row of the tile that is made.
class RowsAhead {
 public:
  /// @param made  rows of the tile
  explicit RowsAhead(std::int64_t made) : made_{made} {}

  /// Sets the box whose rows are looked up, in unknown order, and prefetches the first ones.
  /// @param first  the first voxel of the box, of `size`
  /// @param pitch  voxels from row to row, and `plane` from plane to plane
  void expect(const std::byte* first, const Extent3& size, std::int64_t voxel_bytes,
              std::int64_t pitch, std::int64_t plane) {
    row_ = first;
    rows_ = left_in_plane_ = size.y;
    planes_ = size.z;
    row_bytes_ = size.x * voxel_bytes;
    pitch_ = pitch * voxel_bytes;
    to_plane_ = (plane - size.y * pitch) * voxel_bytes;
    each_ = (size.z * size.y + made_ - 1) / made_;
    ask(each_ * kAhead);
  }

  /// Prefetches the next rows; called before a row of the tile is made.
  void next() { ask(each_); }

 private:
  static constexpr std::int64_t kAhead = 20, kLine = 64;

  void ask(std::int64_t rows) {
    for (; rows > 0 && planes_ > 0; --rows) {
      for (std::int64_t at = 0; at < row_bytes_ + kLine - 1; at += kLine)
        __builtin_prefetch(row_ + std::min(at, row_bytes_ - 1));
      const bool is_last = --left_in_plane_ == 0;
      if (is_last && --planes_ == 0) return;
      row_ += is_last ? pitch_ + to_plane_ : pitch_;
      if (is_last) left_in_plane_ = rows_;
    }
  }

  std::int64_t made_;
  const std::byte* row_ = nullptr;
  std::int64_t rows_ = 0, left_in_plane_ = 0, planes_ = 0;
  std::int64_t row_bytes_ = 0, pitch_ = 0, to_plane_ = 0, each_ = 0;
};

}  // namespace synthoscope::kernels
