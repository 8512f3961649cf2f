// SPDX-License-Identifier: MIT
#include "kernels/variance/local_variance.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/names.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/operation/tiled_operation.hpp"
#include "kernels/variance/device_variance.hpp"
#include "kernels/variance/direct_variance.hpp"
#include "kernels/variance/sweep.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<LocalStatistic, 3> kLocalStatisticNames{
    {{LocalStatistic::mean, "mean"},
     {LocalStatistic::variance, "variance"},
     {LocalStatistic::standard_deviation, "std"}}};

constexpr NameTable<VarianceStrategy, 6> kVarianceStrategyNames{
    {{VarianceStrategy::threewise, "threewise"},
     {VarianceStrategy::two_pass, "two-pass"},
     {VarianceStrategy::online, "online"},
     {VarianceStrategy::pairwise, "pairwise"},
     {VarianceStrategy::koenig, "koenig"},
     {VarianceStrategy::integral, "integral"}}};

void take_mean(VectorLevel level, const PartRow& row, std::int64_t count, float* to) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    for (std::int64_t x = 0; x < count; ++x) to[x] = row.voxel[x] + row.offset[x];
  });
}

void take_root(VectorLevel level, const PartRow& row, std::int64_t count, float* to) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    for (std::int64_t x = 0; x < count; ++x) to[x] = __builtin_sqrtf(row.variance[x]);
  });
}

/// Makes statistics of the windows of a sweep.
class StatisticsOfWindows final : public SweepRows {
 public:
  StatisticsOfWindows(const LocalVarianceSpec& spec, std::int64_t count, float* made,
                      ResultRows& rows)
      : statistics_{spec.statistics}, level_{spec.level}, count_{count}, made_{made}, rows_{rows} {}

  void take(std::size_t window, std::int64_t z, std::int64_t y, const PartRow& row) override {
    for (std::size_t i = 0; i < statistics_.size(); ++i) {
      const float* values = made_;
      if (statistics_[i] == LocalStatistic::variance)
        values = row.variance;
      else if (statistics_[i] == LocalStatistic::mean)
        take_mean(level_, row, count_, made_);
      else
        take_root(level_, row, count_, made_);
      rows_.store(z, y, values, window * statistics_.size() + i);
    }
  }

 private:
  const std::vector<LocalStatistic>& statistics_;
  VectorLevel level_;
  std::int64_t count_;
  float* made_;
  ResultRows& rows_;
};

class ThreewiseVariance final : public TiledOperation {
 public:
  ThreewiseVariance(const LocalVarianceSpec& spec, const Extent3& image)
      : TiledOperation{setting_of(spec, image), reach_of(spec.windows)},
        spec_{spec},
        sweep_{spec.windows, spec.boundary, spec.level} {
    set_device(
        device::make_device_variance(spec, [this](const StoredCounts& counts) { count(counts); }));
  }

  [[nodiscard]] std::string_view stage() const override { return "variance"; }

 private:
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const override { return sweep_.tile_for(box); }
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    return tile.x + sweep_.working_floats(tile);
  }
  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override {
    float* const made = scratch + sweep_.working_floats(tile.size);
    StatisticsOfWindows statistics{spec_, tile.size.x, made, rows};
    sweep_.run(in, tile, scratch, statistics);
  }

  LocalVarianceSpec spec_;
  VarianceSweep sweep_;
};

}  // namespace

std::string_view name_of(LocalStatistic statistic) {
  return name_in(kLocalStatisticNames, statistic);
}

std::optional<LocalStatistic> local_statistic_named(std::string_view name) {
  return named_in(kLocalStatisticNames, name);
}

std::string_view name_of(VarianceStrategy strategy) {
  return name_in(kVarianceStrategyNames, strategy);
}

std::optional<VarianceStrategy> variance_strategy_named(std::string_view name) {
  return named_in(kVarianceStrategyNames, name);
}

NeighbourhoodSetting setting_of(const LocalVarianceSpec& spec, const Extent3& image) {
  return {image, spec.boundary, spec.type, spec.level,
          spec.windows.size() * spec.statistics.size()};
}

std::unique_ptr<Operation> local_variance(const LocalVarianceSpec& spec, const Extent3& image,
                                          PixelType image_type) {
  if (spec.windows.empty() || spec.statistics.empty())
    throw InvalidSpec(
        "compute statistics of neighbourhoods: no window or no statistic is requested; give one");
  for (const LocalStatistic statistic : spec.statistics)
    if (std::ranges::count(spec.statistics, statistic) > 1)
      throw InvalidSpec(
          fmt::format("compute statistics of neighbourhoods: the {} is requested twice; name each "
                      "statistic once",
                      name_of(statistic)));
  if (spec.strategy != VarianceStrategy::threewise) return direct_variance(spec, image, image_type);
  return std::make_unique<ThreewiseVariance>(spec, image);
}

}  // namespace synthoscope::kernels
