// SPDX-License-Identifier: MIT
#include "imageio/contiguous_box.hpp"
#include "core/box_runs.hpp"

namespace synthoscope::imageio {

void write_contiguous(PartialFile& file, std::int64_t offset, const Extent3& all, const Box3& box,
                      ConstVoxelView voxels) {
  const std::int64_t voxel = size_of(voxels.type());
  for_each_run(all, box, voxels.pitch(), [&](auto first, auto at, auto count) {
    file.write_at(offset + first * voxel,
                  {voxels.data() + at * voxel, static_cast<std::size_t>(count * voxel)});
  });
}

}  // namespace synthoscope::imageio
