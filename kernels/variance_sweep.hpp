// SPDX-License-Identifier: MIT
// kernels/variance_sweep.hpp — one sweep over a tile makes the statistics of all windows: planes
// (or rows) come in, are joined in cache and leave as results, none is kept longer than wanted.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "kernels/body/threewise.hpp"
#include "kernels/merge_steps.hpp"
#include "kernels/vector_level.hpp"
#include "kernels/window.hpp"

namespace synthoscope::kernels {

/// Parts one behind the other.
struct PartRow {
  const float* voxel;
  const float* offset;
  const float* variance;
};

/// Receives results row by row.
class SweepRows {
 public:
  virtual ~SweepRows() = default;

  /// Row (z, y) of the tile, of the window number `window`. Of each row the windows come in their
  /// order, from first to last.
  virtual void take(std::size_t window, std::int64_t z, std::int64_t y, const PartRow& row) = 0;
};

/// Goes through tiles along z where windows reach along z, plane by plane of rows; otherwise along
/// y, row by row. A signal is kept as long as later steps look back at it. What a voxel becomes
/// depends on its neighbourhood alone, not on the tile.
class VarianceSweep {
 public:
  /// @throws as merge_steps.
  VarianceSweep(std::span<const LocalWindow> windows, Boundary boundary,
                VectorLevel level = vector_level());

  [[nodiscard]] const Extent3& reach() const { return chain_.reach(); }
  [[nodiscard]] std::size_t windows() const { return chain_.results.size(); }

  /// Rows of a tile of which the first window may have come and the last not, in the order z, y.
  [[nodiscard]] std::int64_t rows_waiting(const Extent3& tile) const;

  /// Tiles that fit caches and repeat little of each other.
  [[nodiscard]] Extent3 tile_for(const Extent3& box) const;

  /// Floats that `run` works in, for tiles of at most `tile`.
  [[nodiscard]] std::int64_t working_floats(const Extent3& tile) const;

  /// @param in       holds the tile and reach() around it.
  /// @param working  working_floats(tile.size) of them, finite.
  void run(const Window& in, const Box3& tile, float* working, SweepRows& rows) const;

 private:
  /// A signal in memory: `depth` planes, of which the newest lies `lag` before what came in.
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
