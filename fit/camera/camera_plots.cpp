// SPDX-License-Identifier: MIT
#include "fit/camera/camera_plots.hpp"
#include <algorithm>

namespace synthoscope::fit {
namespace {

constexpr std::size_t kMostPoints = 300;  ///< of a plot

}  // namespace

Plot transfer_plot(std::vector<NoisePoint> points, const NoiseLine& line) {
  Plot plot{"Noise over light",
            "mean of a tile (DN)",
            "variance in waves without light (DN^2)",
            {},
            {},
            {},
            {}};
  std::sort(points.begin(), points.end(),
            [](const NoisePoint& a, const NoisePoint& b) { return a.mean < b.mean; });
  const std::size_t shown = std::min(points.size(), kMostPoints);
  for (std::size_t i = 0; i < shown; ++i) {
    const NoisePoint& point = points[i * points.size() / shown];
    plot.x.push_back(point.mean);
    plot.y.push_back(point.variance);
  }
  constexpr int kSteps = 20;
  for (int i = 0; i <= kSteps; ++i) {
    const double mean =
        points.front().mean + i * (points.back().mean - points.front().mean) / kSteps;
    plot.line_x.push_back(mean);
    plot.line_y.push_back(line.at(mean));
  }
  return plot;
}

Plot spectrum_plot(const std::vector<NoiseTile>& tiles, const NoiseBand& band) {
  Plot plot{"Spectrum", "frequency (Nyquist frequencies)", "power (DN^2)", {}, {}, {}, {}};
  for (int ring = 3; ring < kTileRings; ++ring) {
    double sum = 0;
    for (const NoiseTile& tile : tiles) sum += tile.power[static_cast<std::size_t>(ring)];
    plot.x.push_back((ring + 0.5) / kNyquistRing);
    plot.y.push_back(sum / static_cast<double>(tiles.size()));
  }
  const double at = static_cast<double>(band.first_ring) / kNyquistRing;
  plot.line_x = {at, at};
  plot.line_y = {*std::min_element(plot.y.begin(), plot.y.end()),
                 *std::max_element(plot.y.begin(), plot.y.end())};
  return plot;
}

}  // namespace synthoscope::fit
