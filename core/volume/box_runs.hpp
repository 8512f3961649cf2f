// SPDX-License-Identifier: MIT
// core/volume/box_runs.hpp — the runs of voxels that a box and the volume around it have in common.
#pragma once
#include "core/volume/box.hpp"

namespace synthoscope {

/// Calls `body(first, at, count)` for every run of voxels that is contiguous both in a volume of
/// extent `all`, from its voxel `first` on, and in a buffer of the rows of `box`, `pitch` voxels
/// apart, from its voxel `at` on. A run is the whole box, the rows of a plane, or a single row.
template <class Body>
void for_each_run(const Extent3& all, const Box3& box, std::int64_t pitch, Body&& body) {
  const bool full_rows = box.size.x == all.x && pitch == all.x;
  const bool full_planes = full_rows && box.size.y == all.y;
  const std::int64_t rows = box.size.z * box.size.y;
  const std::int64_t together = full_planes ? rows : full_rows ? box.size.y : 1;
  if (box.size.x == 0) return;
  for (std::int64_t row = 0; row < rows; row += together) {
    const std::int64_t z = box.origin.z + row / box.size.y, y = box.origin.y + row % box.size.y;
    body((z * all.y + y) * all.x + box.origin.x, row * pitch, together * box.size.x);
  }
}

}  // namespace synthoscope
