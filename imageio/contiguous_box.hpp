// SPDX-License-Identifier: MIT
// imageio/contiguous_box.hpp — writes a box into a volume that lies row behind row in a file.
#pragma once
#include "core/stream.hpp"
#include "imageio/partial_file.hpp"

namespace synthoscope::imageio {

/// One call per run of bytes that lie together both in memory and in the file.
/// @param offset  of the first voxel of a volume of extent `all`
/// @throws IoError
void write_contiguous(PartialFile& file, std::int64_t offset, const Extent3& all, const Box3& box,
                      ConstVoxelView voxels);

}  // namespace synthoscope::imageio
