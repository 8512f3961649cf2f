// SPDX-License-Identifier: MIT
// simulator/report/svg_plot.hpp — curves and points over two axes, as an SVG element.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace synthoscope::simulator {

enum class Scale { linear, logarithmic };

struct PlotAxis {
  std::string label;  ///< with its unit
  Scale scale = Scale::linear;
};

struct PlotSeries {
  enum class Mark { line, steps, points };
  std::string name;
  std::string colour;  ///< of CSS
  Mark mark = Mark::line;
  std::vector<std::pair<double, double>> points;  ///< x, y
};

/// Round numbers that divide [low, high] in about `count` parts: 1, 2 or 5 times powers of ten, and
/// powers of ten alone on a logarithmic axis.
std::vector<double> ticks_between(double low, double high, Scale scale, int count);

/// All finite points of `series` (positive ones on a logarithmic axis), axes with ticks, and a
/// legend. Says that there is nothing to show where no point is left.
std::string svg_plot(const PlotAxis& x, const PlotAxis& y, const std::vector<PlotSeries>& series);

}  // namespace synthoscope::simulator
