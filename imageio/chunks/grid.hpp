// SPDX-License-Identifier: MIT
// imageio/chunks/grid.hpp — how the voxels of a volume are cut into chunks.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include "core/stream/stream.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// How large chunks are, and how many there are along each axis. They are numbered along x first;
/// those at the far faces are as large as all others.
struct ChunkGrid {
  Extent3 chunk, count;
  PixelType type = PixelType::uint8;

  [[nodiscard]] std::int64_t chunks() const { return volume(count); }
  [[nodiscard]] std::int64_t chunk_bytes() const { return volume(chunk) * size_of(type); }
  [[nodiscard]] Box3 box(std::int64_t number) const;
  [[nodiscard]] std::int64_t number(const Index3& at) const {
    return (at.z * count.y + at.y) * count.x + at.x;
  }
  /// Of the chunk that holds a voxel.
  [[nodiscard]] std::int64_t number_at(const Index3& voxel) const {
    return number({voxel.z / chunk.z, voxel.y / chunk.y, voxel.x / chunk.x});
  }
};

/// Divides a volume into chunks, which are no larger than the volume.
ChunkGrid grid_of(const Extent3& all, const Extent3& chunk, PixelType type);

/// As the spec asks for, or 16x256x256.
ChunkGrid grid_of(const ImageSpec& spec);

/// @throws InvalidSpec  the chunks that a new file at `path` is to have are empty or too large.
void check_chunks(const std::filesystem::path& path, const ImageSpec& spec);

/// Calls `visit(number)` for every chunk that has voxels of `box`.
template <class Visit>
void for_each_chunk(const ChunkGrid& grid, const Box3& box, Visit&& visit) {
  const Extent3& c = grid.chunk;
  const auto end = [](std::int64_t origin, std::int64_t size) { return origin + size; };
  for (std::int64_t z = box.origin.z / c.z; z * c.z < end(box.origin.z, box.size.z); ++z)
    for (std::int64_t y = box.origin.y / c.y; y * c.y < end(box.origin.y, box.size.y); ++y)
      for (std::int64_t x = box.origin.x / c.x; x * c.x < end(box.origin.x, box.size.x); ++x)
        visit(grid.number({z, y, x}));
}

/// Copies the voxels of the intersection of two boxes; each box has its own buffer of rows.
void copy_common(const Box3& from_box, ConstVoxelView from, const Box3& to_box, VoxelView to);

/// Calls `write(offset, bytes)` for the rows of `part`, which lies in `box` and in a chunk, with
/// their place in the chunk in bytes. Rows of a plane that reach from end to end of a chunk, or to
/// the far face of a volume that is `all_x` wide, go together; there zeros fill them up.
void write_chunk_part(const Box3& chunk, const Box3& box, ConstVoxelView voxels, std::int64_t all_x,
                      const std::function<void(std::int64_t, std::span<const std::byte>)>& write);

/// The grid whose chunks are the single planes of the chunks of `grid`, in a volume of extent
/// `all`.
ChunkGrid planes_of_chunks(const Extent3& all, const ChunkGrid& grid);

/// Calls `read(offset, bytes)` for the rows of `box`, which lies in a chunk, with their place in
/// the chunk in bytes. @returns false once `read` does
bool read_chunk_part(const Box3& chunk, const Box3& box, VoxelView voxels,
                     const std::function<bool(std::int64_t, std::span<std::byte>)>& read);

}  // namespace synthoscope::imageio
