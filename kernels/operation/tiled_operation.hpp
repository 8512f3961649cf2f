// SPDX-License-Identifier: MIT
// kernels/operation/tiled_operation.hpp — results of neighbourhoods made tile by tile, each in the
// caches of one core.
#pragma once
#include <atomic>
#include <memory>
#include <vector>
#include "core/base/round_up.hpp"
#include "core/stream/store_as.hpp"
#include "core/vector/vector_level.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/operation/operation.hpp"

namespace synthoscope::kernels {

/// The image, and what is made from it.
struct NeighbourhoodSetting {
  Extent3 image;
  Boundary boundary = Boundary::reflect;
  PixelType type = PixelType::float32;  ///< of the results
  VectorLevel level = vector_level();
  std::size_t results = 1;
};

/// Calls `body(part, absolute)` for every tile of a box, with the threads of `pool`: `part` is the
/// tile's position in the box, `absolute` that in the whole.
template <class Body>
void for_each_tile(const Box3& box, const Extent3& tile, TaskPool& pool, const Body& body) {
  const Extent3 tiles{parts_of(box.size.z, tile.z), parts_of(box.size.y, tile.y),
                      parts_of(box.size.x, tile.x)};
  pool.for_each(volume(tiles), [&](std::int64_t number) {
    const Index3 at{number / (tiles.y * tiles.x) * tile.z, number / tiles.x % tiles.y * tile.y,
                    number % tiles.x * tile.x};
    const Box3 part = intersection({at, tile}, whole(box.size));
    body(part, shifted(part, box.origin));
  });
}

/// The neighbourhood of a voxel: from -centre on, `extent` voxels along each axis.
struct Reach {
  Extent3 extent{1, 1, 1};
  Index3 centre;
};

/// Stores the rows of results of a tile.
class ResultRows {
 public:
  ResultRows(std::span<const VoxelView> out, const Box3& part, VectorLevel level);

  /// Stores row (z, y) of the tile, rounded and clipped as its type requires.
  void store(std::int64_t z, std::int64_t y, const float* row, std::size_t result = 0);
  void store(std::int64_t z, std::int64_t y, const double* row, std::size_t result = 0);
  [[nodiscard]] const StoredCounts& counts() const { return counts_; }

 private:
  template <class Real>
  void store_any(std::int64_t z, std::int64_t y, const Real* row, std::size_t result);

  std::span<const VoxelView> out_;
  Box3 part_;  ///< the box of the tile in each of `out`
  VectorLevel level_;
  bool streams_;
  StoredCounts counts_;
};

/// Makes results of the image's extent, each voxel from the voxels around it.
class TiledOperation : public Operation {
 public:
  [[nodiscard]] Extent3 extent() const final { return setting_.image; }
  [[nodiscard]] std::vector<PixelType> types() const final {
    return std::vector(setting_.results, setting_.type);
  }
  [[nodiscard]] Box3 needs(const Box3& box) const final;
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int threads) const final;
  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) final;

  /// Does the same as `apply` in the calling thread alone, with all of `box` as one tile: for
  /// callers that make tiles of several operations. Several threads may call it, each with its own
  /// scratch of scratch_floats(box.size), which starts at a cache line.
  void make(const Window& in, const Box3& box, std::span<const VoxelView> out, float* scratch);

  /// Returns the scratch that a thread needs to make a tile, in floats.
  [[nodiscard]] virtual std::int64_t scratch_floats(const Extent3& tile) const = 0;

  /// Returns the positions that `box` depends on.
  [[nodiscard]] Box3 around(const Box3& box) const;

  /// Only integers are counted as clipped, including those from NaN.
  [[nodiscard]] StoredCounts stored_counts() const final {
    return {clipped_.load(), non_finite_.load()};
  }

  /// Sets the implementation for a device, which reports what it counts by `count`.
  void set_device(std::unique_ptr<DeviceOperation> there) { there_ = std::move(there); }
  [[nodiscard]] DeviceOperation* on_device() final { return there_.get(); }
  void count(const StoredCounts& counts);

 protected:
  /// @throws InvalidSpec  the image has no voxels.
  TiledOperation(const NeighbourhoodSetting& setting, const Reach& reach);

  [[nodiscard]] const NeighbourhoodSetting& setting() const { return setting_; }
  [[nodiscard]] const Reach& reach() const { return reach_; }
  /// Returns the largest tile that boxes of this extent are cut into.
  [[nodiscard]] virtual Extent3 tile_of(const Extent3& box) const = 0;
  /// Makes every row of `tile`. Several threads call it at once, each with its own scratch, which
  /// starts at a cache line.
  virtual void make_tile(const Window& in, const Box3& tile, float* scratch,
                         ResultRows& rows) const = 0;

 private:
  NeighbourhoodSetting setting_;
  Reach reach_;
  std::atomic<std::int64_t> clipped_{0}, non_finite_{0};
  std::unique_ptr<DeviceOperation> there_;
};

/// Returns the pitch of rows of `width` floats: whole cache lines, an odd number of them, so that
/// rows below each other do not map to the same sets of a cache.
std::int64_t row_pitch(std::int64_t width);

}  // namespace synthoscope::kernels
