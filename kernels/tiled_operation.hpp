// SPDX-License-Identifier: MIT
// kernels/tiled_operation.hpp — results of neighbourhoods made tile by tile, each in the caches of
// the core that makes it.
#pragma once
#include <atomic>
#include <memory>
#include <vector>
#include "core/base/round_up.hpp"
#include "core/stream/store_as.hpp"
#include "kernels/device_operation.hpp"
#include "kernels/operation.hpp"
#include "kernels/vector_level.hpp"

namespace synthoscope::kernels {

/// Which image, and what is made of it.
struct NeighbourhoodSetting {
  Extent3 image;
  Boundary boundary = Boundary::reflect;
  PixelType type = PixelType::float32;  ///< of the results
  VectorLevel level = vector_level();
  std::size_t results = 1;
};

/// Calls `body(part, absolute)` for every tile of a box, with the threads of `pool`: the tile's
/// place in the box, and in the whole.
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

/// What a neighbourhood covers: from -centre on, `extent` voxels along each axis.
struct Reach {
  Extent3 extent{1, 1, 1};
  Index3 centre;
};

/// Rows of results on their way to where they are stored.
class ResultRows {
 public:
  ResultRows(std::span<const VoxelView> out, const Box3& part, VectorLevel level);

  /// Stores row (z, y) of the tile, rounded and clipped as its type needs.
  void store(std::int64_t z, std::int64_t y, const float* row, std::size_t result = 0);
  void store(std::int64_t z, std::int64_t y, const double* row, std::size_t result = 0);
  [[nodiscard]] const StoredCounts& counts() const { return counts_; }

 private:
  template <class Real>
  void store_any(std::int64_t z, std::int64_t y, const Real* row, std::size_t result);

  std::span<const VoxelView> out_;
  Box3 part_;  ///< of each of `out`, that the tile is
  VectorLevel level_;
  bool streams_;
  StoredCounts counts_;
};

/// Results of the image's extent, each voxel of the voxels around it.
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

  /// The same by the calling thread alone, all of `box` as one tile: for those who make tiles of
  /// several operations. Several threads may, each with its scratch of scratch_floats(box.size),
  /// which starts at a cache line.
  void make(const Window& in, const Box3& box, std::span<const VoxelView> out, float* scratch);

  /// What a thread needs to make a tile, in floats.
  [[nodiscard]] virtual std::int64_t scratch_floats(const Extent3& tile) const = 0;

  /// The positions that `box` depends on.
  [[nodiscard]] Box3 around(const Box3& box) const;

  /// Integers alone are counted as clipped, NaN among them.
  [[nodiscard]] StoredCounts stored() const final { return {clipped_.load(), non_finite_.load()}; }

  /// Says how the same is done on a device; whatever it counts comes by `count`.
  void set_device(std::unique_ptr<DeviceOperation> there) { there_ = std::move(there); }
  [[nodiscard]] DeviceOperation* on_device() final { return there_.get(); }
  void count(const StoredCounts& counts);

 protected:
  /// @throws InvalidSpec  the image has no voxels.
  TiledOperation(const NeighbourhoodSetting& setting, const Reach& reach);

  [[nodiscard]] const NeighbourhoodSetting& setting() const { return setting_; }
  [[nodiscard]] const Reach& reach() const { return reach_; }
  /// The largest tile that boxes of `box` are cut into.
  [[nodiscard]] virtual Extent3 tile_of(const Extent3& box) const = 0;
  /// Makes every row of `tile`. Several threads do so at once, each with its scratch, which starts
  /// at a cache line.
  virtual void make_tile(const Window& in, const Box3& tile, float* scratch,
                         ResultRows& rows) const = 0;

 private:
  NeighbourhoodSetting setting_;
  Reach reach_;
  std::atomic<std::int64_t> clipped_{0}, non_finite_{0};
  std::unique_ptr<DeviceOperation> there_;
};

/// The pitch of rows of `width` floats: whole cache lines, an odd number of them, so that rows
/// below each other do not meet in the same sets of a cache.
std::int64_t row_pitch(std::int64_t width);

}  // namespace synthoscope::kernels
