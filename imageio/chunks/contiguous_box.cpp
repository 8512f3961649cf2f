// SPDX-License-Identifier: MIT
#include "imageio/chunks/contiguous_box.hpp"
#include <algorithm>
#include "core/volume/box.hpp"

namespace synthoscope::imageio {

void write_contiguous(PartialFile& file, std::int64_t offset, const Extent3& all, const Box3& box,
                      ConstVoxelView voxels) {
  const std::int64_t voxel = size_of(voxels.type());
  for_each_run(all, box, voxels.pitch(), [&](auto first, auto at, auto count) {
    file.write_at(offset + first * voxel,
                  {voxels.data() + at * voxel, static_cast<std::size_t>(count * voxel)});
  });
}

bool read_contiguous(const PartialFile& file, std::int64_t offset, const Extent3& all,
                     const Box3& box, VoxelView voxels) {
  const std::int64_t voxel = size_of(voxels.type());
  bool is_whole = true;
  for_each_run(all, box, voxels.pitch(), [&](auto first, auto at, auto count) {
    const std::span row{voxels.data() + at * voxel, static_cast<std::size_t>(count * voxel)};
    is_whole = is_whole && file.read_some(offset + first * voxel, row) == row.size();
  });
  return is_whole;
}

ChunkGrid contiguous_grid(const Extent3& all, PixelType type) {
  constexpr std::int64_t kMax = std::int64_t{1} << 20;
  const std::int64_t voxels = kMax / size_of(type);
  return grid_of(all, {1, std::max<std::int64_t>(1, voxels / all.x), std::min(all.x, voxels)},
                 type);
}

}  // namespace synthoscope::imageio
