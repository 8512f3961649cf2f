// SPDX-License-Identifier: MIT
#include "kernels/variance/contrast.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "kernels/operation/tiled_operation.hpp"
#include "kernels/variance/device_variance.hpp"
#include "kernels/variance/sweep.hpp"

namespace synthoscope::kernels {
namespace {

/// Adds up bands as their windows arrive. A row waits in a ring until its last window arrives.
class Bands final : public SweepRows {
 public:
  Bands(const VarianceSweep& sweep, const Extent3& tile, const ContrastGain& gain,
        VectorLevel level, float* scratch, ResultRows& rows)
      : sweep_{sweep}, tile_{tile}, gain_{gain}, level_{level}, scratch_{scratch}, rows_{rows} {}

  static std::int64_t floats(const VarianceSweep& sweep, const Extent3& tile) {
    return 2 * sweep.rows_waiting(tile) * tile.x;
  }

  void take(std::size_t window, std::int64_t z, std::int64_t y, const PartRow& row) override {
    const std::int64_t number = (z * tile_.y + y) % sweep_.rows_waiting(tile_);
    float* const sum = scratch_ + 2 * number * tile_.x;
    float* const mean = sum + tile_.x;
    const bool is_first = window == 0, is_last = window + 1 == sweep_.windows();
    vectorised(level_, [=, gain = gain_, count = tile_.x]() SYNTHOSCOPE_INLINE {
#pragma GCC ivdep
      for (std::int64_t x = 0; x < count; ++x) {
        const Part part{row.voxel[x], row.offset[x], row.variance[x]};
        const BandSum finer{is_first ? 0 : mean[x], is_first ? 0 : sum[x]};
        const BandSum all = with_band(finer, part, gain);
        mean[x] = all.mean;
        sum[x] = is_last ? with_contrast(all, part) : all.sum;
      }
    });
    if (is_last) rows_.store(z, y, sum);
  }

 private:
  const VarianceSweep& sweep_;
  Extent3 tile_;
  ContrastGain gain_;
  VectorLevel level_;
  float* scratch_;
  ResultRows& rows_;
};

class LocalContrast final : public TiledOperation {
 public:
  LocalContrast(const ContrastSpec& spec, const Extent3& image)
      : TiledOperation{{image, spec.boundary, spec.type, spec.level}, reach_of(spec.windows)},
        gain_{gain_of(spec)},
        sweep_{spec.windows, spec.boundary, spec.level} {
    set_device(
        device::make_device_contrast(spec, [this](const StoredCounts& counts) { count(counts); }));
  }

  [[nodiscard]] std::string_view stage() const override { return "contrast"; }

 private:
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const override { return sweep_.tile_for(box); }
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    return sweep_.working_floats(tile) + Bands::floats(sweep_, tile);
  }
  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override {
    float* const waiting = scratch + sweep_.working_floats(tile.size);
    Bands bands{sweep_, tile.size, gain_, setting().level, waiting, rows};
    sweep_.run(in, tile, scratch, bands);
  }

  ContrastGain gain_;
  VarianceSweep sweep_;
};

}  // namespace

ContrastGain gain_of(const ContrastSpec& spec) {
  return {static_cast<float>(spec.limit * spec.target), static_cast<float>(spec.target),
          static_cast<float>(spec.limit), static_cast<float>(spec.strength)};
}

std::unique_ptr<Operation> local_contrast(const ContrastSpec& spec, const Extent3& image) {
  const auto require = [](bool is_right, std::string_view name, double value,
                          std::string_view accepted) {
    if (!is_right)
      throw InvalidSpec(
          fmt::format("enhance contrast: {} is {}; it must be {}", name, value, accepted));
  };
  constexpr double kLargest = 1e30;
  require(spec.target > 0 && spec.target < kLargest, "the target", spec.target,
          "a standard deviation above 0; give --target if the image has none");
  require(spec.limit >= 1 && spec.limit < kLargest, "the limit", spec.limit, "at least 1");
  require(spec.strength >= 0 && spec.strength <= 1, "the strength", spec.strength,
          "between 0 and 1");
  if (spec.windows.empty())
    throw InvalidSpec("enhance contrast: no window is given; give scales such as 2, 4 and 8");
  return std::make_unique<LocalContrast>(spec, image);
}

}  // namespace synthoscope::kernels
