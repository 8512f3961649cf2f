// SPDX-License-Identifier: MIT
#include "kernels/variance/direct_variance.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/assert.hpp"
#include "core/run/stop.hpp"
#include "kernels/body/integral_variance.hpp"
#include "kernels/operation/tiled_operation.hpp"
#include "kernels/variance/device_variance.hpp"

namespace synthoscope::kernels {
namespace {

/// Cost of a voxel of a window in the slowest way, in the units of a StopMeter.
constexpr std::int64_t kUnitsOfVoxel = 8;

/// Returns the weights of an axis from its first voxel to its last.
std::vector<float> weights_along(WindowShape shape, double size) {
  const std::vector<double> half = half_weights(shape, size);
  std::vector<float> weights;
  for (std::size_t i = half.size(); i-- > 1;) weights.push_back(static_cast<float>(half[i]));
  for (const double weight : half) weights.push_back(static_cast<float>(weight));
  return weights;
}

/// Copies a tile with the voxels around it and computes statistics row by row.
class TileByTile : public TiledOperation {
 public:
  [[nodiscard]] std::string_view stage() const final { return "variance"; }

 protected:
  TileByTile(const LocalVarianceSpec& spec, const Extent3& image)
      : TiledOperation{setting_of(spec, image), reach_of(spec.windows)}, spec_{spec} {}

  [[nodiscard]] TellCounts counting() {
    return [this](const StoredCounts& counts) { count(counts); };
  }

  [[nodiscard]] const LocalVarianceSpec& spec() const { return spec_; }
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const final {
    return {1, std::min<std::int64_t>(box.y, 32), std::min<std::int64_t>(box.x, 256)};
  }

  /// Stores the statistics of a row of moments.
  template <class Real>
  void store(std::size_t window, std::int64_t y, const std::vector<Moments<Real>>& row,
             ResultRows& rows) const {
    std::vector<float> values(row.size());
    for (std::size_t i = 0; i < spec_.statistics.size(); ++i) {
      const LocalStatistic statistic = spec_.statistics[i];
      std::transform(row.begin(), row.end(), values.begin(), [&](const Moments<Real>& m) {
        const Real value = statistic == LocalStatistic::mean       ? m.mean
                           : statistic == LocalStatistic::variance ? m.variance
                                                                   : std::sqrt(m.variance);
        return static_cast<float>(value);
      });
      rows.store(0, y, values.data(), window * spec_.statistics.size() + i);
    }
  }

 private:
  LocalVarianceSpec spec_;
};

class VoxelByVoxel final : public TileByTile {
 public:
  VoxelByVoxel(const LocalVarianceSpec& spec, const Extent3& image) : TileByTile{spec, image} {
    for (const LocalWindow& window : spec.windows) weights_.push_back(weights_of(window));
    set_device(device::make_device_direct_variance(spec, counting()));
  }

 private:
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    return volume(around({{}, tile}).size);
  }

  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override {
    const Box3 positions = around(tile);
    const HostView3<float> voxels{scratch, positions.size};
    copy_positions(in, setting().boundary, positions, 0.0F, voxels);
    constexpr int kLevels = 32;
    const DirectWay way = direct_way(spec().strategy);
    std::vector<Moments<float>> row(static_cast<std::size_t>(tile.size.x));
    StopMeter meter;
    for (std::size_t w = 0; w < weights_.size(); ++w) {
      const Extent3 half = half_reach(spec().windows[w]);
      const std::int64_t window_voxels = (2 * half.z + 1) * (2 * half.y + 1) * (2 * half.x + 1);
      Neighbourhood<float> around{nullptr,
                                  positions.size.y * positions.size.x,
                                  positions.size.x,
                                  static_cast<int>(half.z),
                                  static_cast<int>(half.y),
                                  static_cast<int>(half.x),
                                  weights_[w].z.data(),
                                  weights_[w].y.data(),
                                  weights_[w].x.data()};
      for (std::int64_t y = 0; y < tile.size.y; ++y) {
        around.centre = &voxels(reach().centre.z, reach().centre.y + y, reach().centre.x);
        for (Moments<float>& made : row) {
          meter.work(kUnitsOfVoxel * window_voxels);
          made = moments<kLevels>(way, around);
          ++around.centre;
        }
        store(w, y, row, rows);
      }
    }
  }

  std::vector<WindowWeights> weights_;
};

/// Uses sums of voxels and of their squares up to each corner: a box combines eight of them,
/// exactly.
class IntegralVariance final : public TileByTile {
 public:
  IntegralVariance(const LocalVarianceSpec& spec, const Extent3& image) : TileByTile{spec, image} {
    set_device(device::make_device_integral_variance(spec, counting()));
  }

 private:
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    const Extent3 size = around({{}, tile}).size;
    const Extent3 corners{size.z + 1, size.y + 1, size.x + 1};
    return volume(corners) * std::int64_t{sizeof(IntegralSums) / sizeof(float)} + volume(size);
  }

  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override {
    // Integers of 16 bits are exact as float32
    const Box3 positions = around(tile);
    const Extent3& n = positions.size;
    const HostView3<IntegralSums> sums{reinterpret_cast<IntegralSums*>(scratch),
                                       {n.z + 1, n.y + 1, n.x + 1}};
    const HostView3<float> voxels{reinterpret_cast<float*>(sums.data() + volume(sums.extent())), n};
    copy_positions(in, setting().boundary, positions, 0.0F, voxels);
    add_up(voxels, sums);
    const IntegralVolume all{sums.data(), (n.y + 1) * (n.x + 1), n.x + 1};
    std::vector<Moments<double>> row(static_cast<std::size_t>(tile.size.x));
    for (std::size_t w = 0; w < spec().windows.size(); ++w) {
      const Extent3 half = half_reach(spec().windows[w]);
      const Extent3 box{2 * half.z + 1, 2 * half.y + 1, 2 * half.x + 1};
      const Index3& centre = reach().centre;
      for (std::int64_t y = 0; y < tile.size.y; ++y) {
        const std::int64_t first =
            (centre.z - half.z) * all.plane + (centre.y - half.y + y) * all.row + centre.x - half.x;
        for (std::int64_t x = 0; x < tile.size.x; ++x)
          row[static_cast<std::size_t>(x)] =
              moments_of(all.of_box(first + x, box.z, box.y, box.x), volume(box));
        store(w, y, row, rows);
      }
    }
  }

  static void add_up(HostView3<const float> voxels, HostView3<IntegralSums> sums) {
    const Extent3& n = sums.extent();
    for (std::int64_t z = 0; z < n.z; ++z)
      for (std::int64_t y = 0; y < n.y; ++y) {
        stop_point();
        IntegralSums* const to = sums.row(z, y);
        if (z == 0 || y == 0) {
          std::fill_n(to, n.x, IntegralSums{});
          continue;
        }
        const IntegralSums *const above = sums.row(z, y - 1), *const before = sums.row(z - 1, y),
                                  *const both = sums.row(z - 1, y - 1);
        const float* const from = voxels.row(z - 1, y - 1);
        IntegralSums along;
        to[0] = along;
        for (std::int64_t x = 1; x < n.x; ++x) {
          along = along + sums_of(from[x - 1]);
          to[x] = along + above[x] + before[x] - both[x];
        }
      }
  }
};

void require_integral_possible(const LocalVarianceSpec& spec, PixelType type) {
  for (const LocalWindow& window : spec.windows)
    if (window.shape != WindowShape::box)
      throw InvalidSpec(
          fmt::format("compute the variance by integral sums: the window is {}, and integral sums "
                      "are for boxes; give a box, or the strategy threewise",
                      print_window(window)));
  if (is_floating(type) || size_of(type) > 2)
    throw InvalidSpec(
        fmt::format("compute the variance by integral sums: voxels are {}, and sums are exact for "
                    "integers of 8 or 16 bits; use the strategy threewise",
                    name_of(type)));
}

}  // namespace

WindowWeights weights_of(const LocalWindow& window) {
  return {weights_along(window.shape, window.z), weights_along(window.shape, window.y),
          weights_along(window.shape, window.x)};
}

DirectWay direct_way(VarianceStrategy strategy) {
  switch (strategy) {
    case VarianceStrategy::online:
      return DirectWay::online;
    case VarianceStrategy::pairwise:
      return DirectWay::pairwise;
    case VarianceStrategy::koenig:
      return DirectWay::koenig;
    case VarianceStrategy::two_pass:
    case VarianceStrategy::threewise:
    case VarianceStrategy::integral:
      break;
  }
  SYNTHOSCOPE_ASSERT(name_of(strategy), ==, name_of(VarianceStrategy::two_pass));
  return DirectWay::two_pass;
}

std::unique_ptr<Operation> direct_variance(const LocalVarianceSpec& spec, const Extent3& image,
                                           PixelType image_type) {
  if (spec.strategy != VarianceStrategy::integral)
    return std::make_unique<VoxelByVoxel>(spec, image);
  require_integral_possible(spec, image_type);
  return std::make_unique<IntegralVariance>(spec, image);
}

}  // namespace synthoscope::kernels
