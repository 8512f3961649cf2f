// SPDX-License-Identifier: MIT
#include "fit/blur/blur_plots.hpp"
#include <cmath>

namespace synthoscope::fit {
namespace {

Plot edge_plot(const std::vector<ObjectEdge>& real, const std::vector<ObjectEdge>& twin,
               double reach_um, std::string title) {
  Plot plot;
  plot.title = std::move(title);
  plot.x_label = "distance from the edge (um)";
  plot.y_label = "light, 1 inside";
  const EdgeProfile points = mean_levels(real), line = mean_levels(twin);
  for (int k = -kEdgeSamples; k <= kEdgeSamples; ++k) {
    const double distance = reach_um * k / kEdgeSamples;
    plot.x.push_back(distance);
    plot.line_x.push_back(distance);
    plot.y.push_back(points[static_cast<std::size_t>(k + kEdgeSamples)]);
    plot.line_y.push_back(line[static_cast<std::size_t>(k + kEdgeSamples)]);
  }
  return plot;
}

BandPowers sum_of(const std::vector<BandPowers>& tiles) {
  BandPowers all;
  for (const BandPowers& tile : tiles) all += tile;
  return all;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

template <std::size_t N, class LogPower>
Plot spectrum_plot(const std::array<double, N>& borders, double pitch_um, std::string title,
                   const std::vector<std::size_t>& bands, LogPower&& log_power) {
  Plot plot;
  plot.title = std::move(title);
  plot.x_label = "spatial frequency (1/um)";
  plot.y_label = "log10 of the power, less its mean";
  for (const std::size_t band : bands) {
    plot.x.push_back((borders[band] + borders[band + 1]) / 2 / pitch_um);
    const auto [real, twin] = log_power(band);
    plot.y.push_back(real / std::log(10.0));
    plot.line_y.push_back(twin / std::log(10.0));
  }
  plot.line_x = plot.x;
  const double level = mean_of(plot.y), line_level = mean_of(plot.line_y);
  for (double& y : plot.y) y -= level;
  for (double& y : plot.line_y) y -= line_level;
  return plot;
}

}  // namespace

std::vector<Plot> blur_plots(const BlurSamples& real, const BlurSamples& twin,
                             const BlurMeasure& measure, const VoxelSize& pitch) {
  std::vector<Plot> plots;
  if (measure.reach > 0 && !twin.lateral.empty())
    plots.push_back(edge_plot(real.lateral, twin.lateral, measure.reach * pitch.x_um,
                              "Edges of objects in the plane"));
  if (measure.axial_reach > 0 && !twin.axial.empty())
    plots.push_back(edge_plot(real.axial, twin.axial, measure.axial_reach * pitch.z_um,
                              "Edges of objects along z"));
  const BandPowers of_real = sum_of(real.tiles), of_twin = sum_of(twin.tiles);
  if (!measure.bands.empty())
    plots.push_back(
        spectrum_plot(kLateralBands, pitch.x_um, "Power spectrum in the plane", measure.bands,
                      [&](std::size_t band) {
                        return std::pair{of_real.log_power(band), of_twin.log_power(band)};
                      }));
  if (!measure.axial_bands.empty())
    plots.push_back(spectrum_plot(
        kAxialBands, pitch.z_um, "Power spectrum along z", measure.axial_bands,
        [&](std::size_t band) {
          return std::pair{of_real.log_axial_power(band), of_twin.log_axial_power(band)};
        }));
  return plots;
}

}  // namespace synthoscope::fit
