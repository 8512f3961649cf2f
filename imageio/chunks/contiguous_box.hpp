// SPDX-License-Identifier: MIT
// imageio/chunks/contiguous_box.hpp — a box of a volume whose rows are stored one after another.
#pragma once
#include "core/stream/stream.hpp"
#include "imageio/chunks/grid.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {

/// One call per run of bytes that lie together both in memory and in the file.
/// @param offset  of the first voxel of a volume of extent `all`
/// @throws IoError
void write_contiguous(PartialFile& file, std::int64_t offset, const Extent3& all, const Box3& box,
                      ConstVoxelView voxels);

/// Reads such a box again. @returns whether the file has all of it  @throws IoError
bool read_contiguous(const PartialFile& file, std::int64_t offset, const Extent3& all,
                     const Box3& box, VoxelView voxels);

/// How large boxes are that are read at once: rows of at most a MiB.
ChunkGrid contiguous_grid(const Extent3& all, PixelType type);

}  // namespace synthoscope::imageio
