// SPDX-License-Identifier: MIT
// simulator/report/svg_plot.hpp — curves and points over two axes, as an SVG element.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace synthoscope::simulator {

enum class Scale { linear, logarithmic };

struct PlotAxis {
  std::string label;  ///< with its unit
  Scale scale = Scale::linear;
  std::optional<double> reaches = {};  ///< the axis goes up to this number at least
};

struct PlotSeries {
  enum class Mark { line, steps, points };
  std::string name;    ///< in the legend; empty: not there
  std::string colour;  ///< of CSS
  Mark mark = Mark::line;
  std::vector<std::pair<double, double>> points;  ///< x, y
};

/// Returns round numbers that divide [low, high] in about `count` parts: 1, 2 or 5 times powers of
/// ten; on a logarithmic axis only powers of ten, if there are two or more.
std::vector<double> ticks_between(double low, double high, Scale scale, int count);

/// Returns a plot of all finite points of `series` (positive ones on a logarithmic axis), with
/// ticks and a legend. Without any points, a note that there is nothing to plot.
std::string svg_plot(const PlotAxis& x, const PlotAxis& y, const std::vector<PlotSeries>& series);

}  // namespace synthoscope::simulator
