// SPDX-License-Identifier: MIT
#include "fit/light/light_plots.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace synthoscope::fit {
namespace {

constexpr std::size_t kMostBins = 20;
constexpr double kPlaces = 24;  ///< of a profile

std::vector<double> brightness_of(const LightSample& sample) {
  std::vector<double> values;
  for (const LitObject& object : sample.objects) values.push_back(object.counts[0]);
  std::sort(values.begin(), values.end());
  return values;
}

/// Shares of the objects in bins from `low`, of width `step`; those beyond are in the last ones.
std::vector<double> shares_in_bins(const std::vector<double>& values, double low, double step,
                                   std::size_t bins) {
  std::vector<double> shares(bins);
  for (const double value : values) {
    const double bin =
        std::clamp(std::floor((value - low) / step), 0.0, static_cast<double>(bins) - 1);
    shares[static_cast<std::size_t>(bin)] += 1 / static_cast<double>(values.size());
  }
  return shares;
}

std::vector<Plot> brightness_plots(const LightSample& real, const LightSample& twin) {
  const auto of_real = brightness_of(real), of_twin = brightness_of(twin);
  if (of_real.empty() || of_twin.empty()) return {};
  const auto bins = std::min(
      kMostBins, 4 + static_cast<std::size_t>(std::sqrt(static_cast<double>(of_real.size()))));
  const double low = std::min(of_real.front(), of_twin.front()),
               high = std::max(of_real.back(), of_twin.back());
  const double step = std::max((high - low) / static_cast<double>(bins), 1e-9);
  Plot plot{"Brightness of objects",
            "mean counts above the surroundings (DN)",
            "share of the objects",
            {},
            {},
            {},
            {}};
  plot.y = shares_in_bins(of_real, low, step, bins);
  plot.line_y = shares_in_bins(of_twin, low, step, bins);
  for (std::size_t i = 0; i < bins; ++i)
    plot.x.push_back(low + (static_cast<double>(i) + 0.5) * step);
  plot.line_x = plot.x;
  return {plot};
}

/// Means of tiles against their place, weighted by their pixels.
std::pair<std::vector<double>, std::vector<double>> profile(const LightSample& sample,
                                                            double BackgroundTile::*along) {
  struct Sum {
    double place = 0, mean = 0, pixels = 0;
  };
  std::map<double, Sum> sums;
  for (const Tiles& tiles : sample.tiles)
    for (const BackgroundTile& tile : tiles) {
      Sum& sum = sums[std::floor(tile.*along * kPlaces)];
      sum.place += tile.*along * tile.pixels;
      sum.mean += tile.mean * tile.pixels;
      sum.pixels += tile.pixels;
    }
  std::pair<std::vector<double>, std::vector<double>> result;
  for (const auto& [key, sum] : sums) {
    result.first.push_back(sum.place / sum.pixels);
    result.second.push_back(sum.mean / sum.pixels);
  }
  return result;
}

}  // namespace

std::vector<Plot> light_plots(const LightSample& real, const LightSample& twin) {
  std::vector<Plot> plots = brightness_plots(real, twin);
  for (const bool is_x : {true, false}) {
    const auto along = is_x ? &BackgroundTile::along_x : &BackgroundTile::along_y;
    Plot plot{is_x ? "Background along x" : "Background along y",
              "place in the field, from -1/2 to 1/2",
              "mean counts far from labels (DN)",
              {},
              {},
              {},
              {}};
    std::tie(plot.x, plot.y) = profile(real, along);
    std::tie(plot.line_x, plot.line_y) = profile(twin, along);
    if (!plot.x.empty()) plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace synthoscope::fit
