// SPDX-License-Identifier: MIT
// imageio/chunks/written_pieces.hpp — which voxels of a volume were written, and whether they are
// still those that were.
#pragma once
#include <functional>
#include <mutex>
#include <span>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/math/content_sum.hpp"
#include "core/run/stop.hpp"
#include "core/stream/stream.hpp"
#include "imageio/chunks/grid.hpp"

namespace synthoscope::imageio {

/// Boxes of a volume, each with the sum of its voxels (ContentSum, places counted in the volume).
/// Boxes that touch become one, so that a run of many steps is a few of them.
class WrittenPieces {
 public:
  /// Of a volume of extent `all`.
  WrittenPieces(const Extent3& all, PixelType type) : all_{all}, type_{type} {}

  /// A box that was written, which touches none that was. Several threads may add at once.
  void add(const Box3& box, ConstVoxelView voxels);

  /// [[z, y, x, size z, size y, size x, sum], ...]
  [[nodiscard]] Json json() const;

  /// In place of all that was added. @throws Json::exception  it is nothing that json() gives.
  void set(const Json& pieces);

  /// Reads the voxels of `box`, which lies in one chunk. Returns false if some are missing.
  using ReadBox = std::function<bool(const Box3& box, std::span<std::byte> voxels)>;

  /// Reads all pieces again, in parts that lie in one chunk of `grid`.
  /// @returns whether all of them are there as they were written
  /// @throws Interrupted  `stop` was requested, and what `read` throws.
  [[nodiscard]] bool are_there(const ChunkGrid& grid, const ReadBox& read,
                               const StopFlag* stop) const;

 private:
  struct Piece {
    Box3 box;
    ContentSum sum;
  };
  [[nodiscard]] ContentSum sum_of(const Box3& box, ConstVoxelView voxels) const;
  void merge(Piece piece);

  Extent3 all_;
  PixelType type_;
  mutable std::mutex mutex_;
  std::vector<Piece> pieces_;
};

}  // namespace synthoscope::imageio
