// SPDX-License-Identifier: MIT
#include "imageio/contiguous_box.hpp"

namespace synthoscope::imageio {

void write_contiguous(PartialFile& file, std::int64_t offset, const Extent3& all, const Box3& box,
                      ConstVoxelView voxels) {
  const std::int64_t voxel = size_of(voxels.type()), pitch = voxels.pitch() * voxel;
  const bool is_full_row = box.size.x == all.x && voxels.is_contiguous();
  const bool is_full_plane = is_full_row && box.size.y == all.y;
  const std::int64_t rows_per_run = is_full_plane ? box.size.z * box.size.y
                                    : is_full_row ? box.size.y
                                                  : 1;
  const auto run_bytes = static_cast<std::size_t>(rows_per_run * box.size.x * voxel);
  for (std::int64_t row = 0; row < box.size.z * box.size.y; row += rows_per_run) {
    const std::int64_t z = box.origin.z + row / box.size.y, y = box.origin.y + row % box.size.y;
    const std::int64_t at = ((z * all.y + y) * all.x + box.origin.x) * voxel;
    file.write_at(offset + at, {voxels.data() + row * pitch, run_bytes});
  }
}

}  // namespace synthoscope::imageio
