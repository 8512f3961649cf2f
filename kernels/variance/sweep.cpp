// SPDX-License-Identifier: MIT
#include "kernels/variance/sweep.hpp"
#include <algorithm>
#include <cstring>
#include <utility>
#include "core/base/round_up.hpp"
#include "core/run/stop.hpp"
#include "kernels/lanes/lanes.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels {
namespace {

/// Rows are computed in whole groups of this many columns; columns after their end are not used.
constexpr std::int64_t kGroup = 16;

/// Working memory of a tile: it should stay in a core's own cache; if windows reach so far that
/// tiles would mostly repeat each other, in the shared cache, or near it.
constexpr std::int64_t kSweepFloats[] = {80'000, 500'000, 4'000'000};
constexpr double kMuchRepeated = 1.7;
/// If no cache holds a tile: wide enough to spread the fixed cost of a row and its many neighbours.
constexpr std::int64_t kWidthBeyondCaches = 128;

std::int64_t reach_along(const Extent3& reach, Axis axis) {
  return axis == Axis::z ? reach.z : axis == Axis::y ? reach.y : reach.x;
}

PartRow shifted(const PartRow& row, std::int64_t by) {
  return {row.voxel + by, row.offset + by, row.variance + by};
}

void merge_rows(VectorLevel level, const PartRow& l, const PartRow& c, const PartRow& r,
                const ThreeWeights& weights, std::int64_t count, float* offset, float* variance) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    const ThreeWeights w = weights;
#pragma GCC ivdep
    for (std::int64_t x = 0; x < count; ++x) {
      const Part part = threewise({l.voxel[x], l.offset[x], l.variance[x]},
                                  {c.voxel[x], c.offset[x], c.variance[x]},
                                  {r.voxel[x], r.offset[x], r.variance[x]}, w);
      offset[x] = part.offset;
      variance[x] = part.variance;
    }
  });
}

/// @param sides       left and right neighbours in alternation, the nearest first.
/// @param are_voxels  parts are single voxels
void join_rows(VectorLevel level, const PartRow& centre, std::span<const PartRow> sides,
               std::span<const float> taps, bool are_voxels, std::int64_t count, float* offset,
               float* variance) {
  with_lanes(level, [&](auto lanes) SYNTHOSCOPE_INLINE {
    constexpr int kLanes = decltype(lanes)::value;
    constexpr int kVectors = kLanes < kGroup ? 2 : 1;
    using Vector = typename Lanes<kLanes>::Vector;
    const auto part = [](const PartRow& row, std::int64_t x) SYNTHOSCOPE_INLINE {
      return PartOf<Vector>{lanes_at<kLanes>(row.voxel + x), lanes_at<kLanes>(row.offset + x),
                            lanes_at<kLanes>(row.variance + x)};
    };
    for (std::int64_t x = 0; x < count; x += kVectors * kLanes) {
      PartOf<Vector> c[kVectors];
      PairSums<Vector> sums[kVectors];
      for (int v = 0; v < kVectors; ++v) c[v] = part(centre, x + v * kLanes);
      for (std::size_t i = 1; i < taps.size(); ++i) {
        const PartRow &l = sides[2 * i - 2], &r = sides[2 * i - 1];
        for (int v = 0; v < kVectors; ++v) {
          const std::int64_t at = x + v * kLanes;
          if (are_voxels)
            add_pair(c[v].voxel, lanes_at<kLanes>(l.voxel + at), lanes_at<kLanes>(r.voxel + at),
                     taps[i], sums[v]);
          else
            add_pair(c[v], part(l, at), part(r, at), taps[i], sums[v]);
        }
      }
      for (int v = 0; v < kVectors; ++v) {
        const PartOf<Vector> made = joined(c[v], taps[0], sums[v]);
        std::memcpy(offset + x + v * kLanes, &made.offset, sizeof made.offset);
        std::memcpy(variance + x + v * kLanes, &made.variance, sizeof made.variance);
      }
    }
  });
}

}  // namespace

/// The memory of a tile. Rows begin reach().x columns before the tile, and planes reach().y rows
/// before it; positions along the sweep count from reach() before it.
struct VarianceSweep::Plane {
  std::int64_t rows, pitch;  ///< rows of a plane with those around the tile
  Extent3 tile;
  float* voxels;                ///< voxel_depth_ planes
  std::vector<float*> offsets;  ///< of signals; signal 0 has one row of zeros
  std::vector<float*> variances;
  const VarianceSweep& sweep;

  [[nodiscard]] std::int64_t start(int signal, std::int64_t at, std::int64_t row) const {
    if (signal == 0) return 0;
    return (at % sweep.signals_[static_cast<std::size_t>(signal)].depth * rows + row) * pitch;
  }
  [[nodiscard]] float* voxel_row(std::int64_t at, std::int64_t row) const {
    return voxels + (at % sweep.voxel_depth_ * rows + row) * pitch;
  }
  [[nodiscard]] PartRow row(int signal, std::int64_t at, std::int64_t row, std::int64_t x) const {
    const auto s = static_cast<std::size_t>(signal);
    const std::int64_t from = start(signal, at, row) + x;
    return {voxel_row(at, row) + x, offsets[s] + from, variances[s] + from};
  }
};

VarianceSweep::VarianceSweep(std::span<const LocalWindow> windows, Boundary boundary,
                             VectorLevel level)
    : chain_{merge_steps(windows)},
      boundary_{boundary},
      level_{level},
      sweep_{chain_.reach().z > 0 ? Axis::z : Axis::y},
      signals_(chain_.steps.size() + 1) {
  for (std::size_t s = 0; s < signals_.size(); ++s)
    signals_[s].margin = reach_along(chain_.margins[s], sweep_);
  for (std::size_t i = 0; i < chain_.steps.size(); ++i) {
    const MergeStep& step = chain_.steps[i];
    Signal& sides = signals_[static_cast<std::size_t>(step.sides)];
    Signal& centre = signals_[static_cast<std::size_t>(step.centre)];
    const std::int64_t reach = step.axis == sweep_ ? step.reach() : 0;
    const std::int64_t lag = std::max(sides.lag + reach, centre.lag);
    signals_[i + 1].lag = lag;
    signals_[i + 1].depth = 1;
    sides.depth = std::max(sides.depth, lag - sides.lag + reach + 1);
    centre.depth = std::max(centre.depth, lag - centre.lag + 1);
    voxel_depth_ = std::max(voxel_depth_, lag + reach + 1);
    weights_.push_back(three_weights(step.side));
    taps_.emplace_back(step.taps.begin(), step.taps.end());
  }
}

std::int64_t VarianceSweep::working_floats(const Extent3& tile) const {
  const std::int64_t pitch = row_pitch(tile.x + 2 * reach().x + kGroup);
  const std::int64_t rows = along_z() ? tile.y + 2 * reach().y : 1;
  std::int64_t planes = voxel_depth_;
  for (std::size_t s = 1; s < signals_.size(); ++s) planes += 2 * signals_[s].depth;
  return pitch + planes * rows * pitch;
}

std::int64_t VarianceSweep::rows_waiting(const Extent3& tile) const {
  const auto lag = [&](int signal) { return signals_[static_cast<std::size_t>(signal)].lag; };
  const std::int64_t apart = lag(chain_.results.back()) - lag(chain_.results.front());
  return (apart + 1) * (along_z() ? tile.y : 1);
}

Extent3 VarianceSweep::tile_for(const Extent3& box) const {
  // All steps together repeat about half as much of neighbouring tiles as the first step
  const auto repeated = [](std::int64_t size, std::int64_t reach) {
    return 1 + static_cast<double>(reach) / static_cast<double>(size);
  };
  const auto along_sweep = [](std::int64_t size, std::int64_t reach) {
    return std::min(size, std::max<std::int64_t>(256, 8 * reach));
  };
  Extent3 tile{1, 1, kWidthBeyondCaches};
  for (const std::int64_t floats : kSweepFloats) {
    double least = 1e300;
    for (std::int64_t y = 1; y == 1 || (along_z() && y < 2 * box.y); y *= 2)
      for (std::int64_t x = 16; x == 16 || x < box.x + 32; x += x < 512 ? 16 : x) {
        const Extent3 tried{1, std::min(y, box.y), std::min(x, box.x)};
        if (working_floats(tried) > floats) continue;
        // Each row has a fixed cost
        const double start = 1 + 8.0 / static_cast<double>(tried.x);
        const double cost =
            start * repeated(tried.x, reach().x) * (along_z() ? repeated(tried.y, reach().y) : 1);
        if (cost < least) {
          least = cost;
          tile = tried;
        }
      }
    if (least < kMuchRepeated) break;
  }
  return along_z() ? Extent3{along_sweep(box.z, reach().z), tile.y, tile.x}
                   : Extent3{1, along_sweep(box.y, reach().y), tile.x};
}

void VarianceSweep::make(std::size_t step, std::int64_t at, const Plane& plane) const {
  const MergeStep& s = chain_.steps[step];
  const int made = static_cast<int>(step) + 1;
  const Extent3& margin = chain_.margins[step + 1];
  const std::int64_t from = reach().x - margin.x;
  const std::int64_t count = round_up(plane.tile.x + 2 * margin.x, kGroup);
  const std::int64_t first = along_z() ? reach().y - margin.y : 0;
  const std::int64_t rows = along_z() ? plane.tile.y + 2 * margin.y : 1;
  std::vector<PartRow> sides;
  for (std::int64_t row = first; row < first + rows; ++row) {
    stop_point();
    const auto side = [&](std::int64_t by) {
      if (s.axis == Axis::x) return shifted(plane.row(s.sides, at, row, from), by);
      return s.axis == sweep_ ? plane.row(s.sides, at + by, row, from)
                              : plane.row(s.sides, at, row + by, from);
    };
    const PartRow centre = plane.row(s.centre, at, row, from);
    const std::int64_t to = plane.start(made, at, row) + from;
    float* const offset = plane.offsets[step + 1] + to;
    float* const variance = plane.variances[step + 1] + to;
    if (s.taps.empty()) {
      merge_rows(level_, side(-s.spacing), centre, side(s.spacing), weights_[step], count, offset,
                 variance);
      continue;
    }
    sides.clear();
    for (std::int64_t i = 1; i <= s.reach(); ++i) {
      sides.push_back(side(-i));
      sides.push_back(side(i));
    }
    join_rows(level_, centre, sides, taps_[step], s.sides == 0 && s.centre == 0, count, offset,
              variance);
  }
}

void VarianceSweep::run(const Window& in, const Box3& tile, float* working, SweepRows& rows) const {
  const Extent3& reach = this->reach();
  Plane plane{along_z() ? tile.size.y + 2 * reach.y : 1,
              row_pitch(tile.size.x + 2 * reach.x + kGroup),
              tile.size,
              nullptr,
              {},
              {},
              *this};
  // Lay out the working memory, beginning with the row of zeros
  std::fill_n(working, plane.pitch, 0.0F);
  plane.offsets.push_back(working);
  plane.variances.push_back(working);
  float* next = working + plane.pitch;
  const auto take = [&](std::int64_t planes) {
    return std::exchange(next, next + planes * plane.rows * plane.pitch);
  };
  plane.voxels = take(voxel_depth_);
  for (std::size_t s = 1; s < signals_.size(); ++s) {
    plane.offsets.push_back(take(signals_[s].depth));
    plane.variances.push_back(take(signals_[s].depth));
  }

  const std::int64_t around = reach_along(reach, sweep_);
  const std::int64_t length = along_z() ? tile.size.z : tile.size.y;
  for (std::int64_t came = 0; came < length + 2 * around; ++came) {
    // Load a plane or row
    Box3 positions{{tile.origin.z, tile.origin.y - reach.y, tile.origin.x - reach.x},
                   {1, plane.rows, tile.size.x + 2 * reach.x}};
    (along_z() ? positions.origin.z : positions.origin.y) =
        (along_z() ? tile.origin.z : tile.origin.y) - around + came;
    copy_positions(in, boundary_, positions, 0.0F,
                   HostView3<float>{plane.voxel_row(came, 0), positions.size, plane.pitch});
    // Make the steps that it completes
    for (std::size_t step = 0; step < chain_.steps.size(); ++step) {
      const Signal& made = signals_[step + 1];
      const std::int64_t at = came - made.lag;
      if (at >= around - made.margin && at < around + length + made.margin) make(step, at, plane);
    }
    // Pass on the windows that are finished
    for (std::size_t window = 0; window < chain_.results.size(); ++window) {
      const int signal = chain_.results[window];
      const std::int64_t at = came - signals_[static_cast<std::size_t>(signal)].lag;
      if (at < around || at >= around + length) continue;
      for (std::int64_t y = 0; y < (along_z() ? tile.size.y : 1); ++y) {
        const PartRow row = plane.row(signal, at, along_z() ? reach.y + y : 0, reach.x);
        rows.take(window, along_z() ? at - around : 0, along_z() ? y : at - around, row);
      }
    }
  }
}

}  // namespace synthoscope::kernels
