// SPDX-License-Identifier: MIT
// simulator/calibration/weighted_line.hpp — a straight line through points with error bars.
#pragma once
#include <vector>

namespace synthoscope::simulator {

struct LinePoint {
  double x = 0, y = 0, error = 1;  ///< standard error of y, > 0
};

/// The line y = intercept + slope x.
struct WeightedLine {
  double intercept = 0, slope = 0;
  double intercept_error = 0, slope_error = 0;  ///< standard errors
  double chi_square = 0;                        ///< of the points around the line
  int freedom = 0;                              ///< points beyond two

  [[nodiscard]] double at(double x) const { return intercept + slope * x; }
};

/// Returns the least-squares line, each point weighted with 1 / error^2. The line's errors are
/// enlarged by the root of chi_square / freedom if points scatter more than their own errors
/// explain. Needs at least two points of different x.
WeightedLine weighted_line(const std::vector<LinePoint>& points);

}  // namespace synthoscope::simulator
