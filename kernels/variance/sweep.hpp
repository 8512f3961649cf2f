// SPDX-License-Identifier: MIT
// kernels/variance/sweep.hpp — one sweep over a tile makes the statistics of all windows: planes
// (or rows) are loaded, joined in cache and leave as results; none is kept longer than needed.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/vector/vector_level.hpp"
#include "kernels/body/threewise.hpp"
#include "kernels/operation/window.hpp"
#include "kernels/variance/merge_steps.hpp"

namespace synthoscope::kernels {

/// A row of parts.
struct PartRow {
  const float* voxel;
  const float* offset;
  const float* variance;
};

/// Receives results row by row.
class SweepRows {
 public:
  virtual ~SweepRows() = default;

  /// Receives row (z, y) of the tile for window number `window`. The windows of each row arrive in
  /// order, from first to last.
  virtual void take(std::size_t window, std::int64_t z, std::int64_t y, const PartRow& row) = 0;
};

/// Sweeps through tiles along z if windows reach along z, plane by plane of rows; otherwise along
/// y, row by row. A signal is kept as long as later steps read it. Results of a voxel depend on its
/// neighbourhood alone, not on the tile.
class VarianceSweep {
 public:
  /// @throws as merge_steps.
  VarianceSweep(std::span<const LocalWindow> windows, Boundary boundary,
                VectorLevel level = vector_level());

  [[nodiscard]] const Extent3& reach() const { return chain_.reach(); }
  [[nodiscard]] std::size_t windows() const { return chain_.results.size(); }

  /// Returns how many rows of a tile, in the order z, y, may have received the first window and not
  /// yet the last.
  [[nodiscard]] std::int64_t rows_waiting(const Extent3& tile) const;

  /// Returns the size of tiles that fit caches and repeat little of each other.
  [[nodiscard]] Extent3 tile_for(const Extent3& box) const;

  /// Returns the working memory of `run` in floats, for tiles of at most `tile`.
  [[nodiscard]] std::int64_t working_floats(const Extent3& tile) const;

  /// @param in       holds the tile and reach() around it.
  /// @param working  working_floats(tile.size) floats, all finite.
  void run(const Window& in, const Box3& tile, float* working, SweepRows& rows) const;

 private:
  /// A signal in memory: `depth` planes, the newest of them `lag` before the plane that was loaded.
  struct Signal {
    std::int64_t lag = 0, depth = 0;
    std::int64_t margin = 0;  ///< along the sweep
  };
  struct Plane;

  [[nodiscard]] bool along_z() const { return sweep_ == Axis::z; }
  void make(std::size_t step, std::int64_t at, const Plane& plane) const;

  MergeSteps chain_;
  Boundary boundary_;
  VectorLevel level_;
  Axis sweep_;
  std::vector<Signal> signals_;
  std::int64_t voxel_depth_ = 1;
  std::vector<ThreeWeights> weights_;     ///< of steps
  std::vector<std::vector<float>> taps_;  ///< of steps
};

}  // namespace synthoscope::kernels
