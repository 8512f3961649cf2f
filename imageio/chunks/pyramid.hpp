// SPDX-License-Identifier: MIT
// imageio/chunks/pyramid.hpp — smaller and smaller copies of a volume, for viewers that zoom.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "imageio/chunks/grid.hpp"

namespace synthoscope {
class StopFlag;
class TaskPool;
}  // namespace synthoscope

namespace synthoscope::imageio {

/// Viewers show the smallest level whole.
inline constexpr std::int64_t kSmallestLevel = 256;

/// How voxels of one level become one of the next.
enum class Shrink {
  mean,  ///< of intensities; of integers rounded, halves up
  mode   ///< of labels: the one that most of them have, of several the first; no new ids
};

/// Extents of all levels, the whole volume first: every axis is halved, rounding up, until the
/// longest has at most kSmallestLevel voxels.
std::vector<Extent3> pyramid_extents(const Extent3& whole);

/// How many voxels of the whole volume a voxel of `level` spans along each axis.
Extent3 pyramid_factor(const Extent3& whole, std::size_t level);

/// Makes voxel (z, y, x) of `to` from the 2x2x2 voxels of `from` at (2z, 2y, 2x), as far as they
/// exist. `to` may begin anywhere; `from` begins at twice the origin of `to`.
void shrink(ConstVoxelView from, Shrink how, VoxelView to);

/// The chunks of all levels.
class PyramidChunks {
 public:
  virtual ~PyramidChunks() = default;
  /// Several threads may read and write at once. @throws IoError
  virtual void read(std::size_t level, std::int64_t number, std::span<std::byte> voxels) = 0;
  virtual void write(std::size_t level, std::int64_t number, std::span<const std::byte> voxels) = 0;
};

/// Returns the memory for making a chunk of a level, apart from what reading and writing a chunk
/// uses.
std::int64_t pyramid_slot_bytes(const ChunkGrid& grid);

/// Makes every level from the one before it, with chunks as large as those of level 0, which must
/// be complete.
/// @param at_once  number of chunks that are made at once; null `pool`: one
/// @throws Interrupted  `stop`, which may be null, was requested.
/// @throws IoError
void build_pyramid(const Extent3& whole, const Extent3& chunk, PixelType type, Shrink how,
                   std::int64_t at_once, TaskPool* pool, const StopFlag* stop,
                   PyramidChunks& chunks);

}  // namespace synthoscope::imageio
