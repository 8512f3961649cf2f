// SPDX-License-Identifier: MIT
#include "simulator/calibration/weighted_line.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/assert.hpp"

namespace synthoscope::simulator {

WeightedLine weighted_line(const std::vector<LinePoint>& points) {
  SYNTHOSCOPE_ASSERT(points.size(), >=, std::size_t{2});
  double weights = 0, mean_x = 0, mean_y = 0;
  for (const auto& p : points) {
    const double weight = 1 / (p.error * p.error);
    weights += weight;
    mean_x += weight * p.x;
    mean_y += weight * p.y;
  }
  mean_x /= weights;
  mean_y /= weights;

  // Around the means, sums do not cancel
  double xx = 0, xy = 0;
  for (const auto& p : points) {
    const double weight = 1 / (p.error * p.error);
    xx += weight * (p.x - mean_x) * (p.x - mean_x);
    xy += weight * (p.x - mean_x) * (p.y - mean_y);
  }
  SYNTHOSCOPE_ASSERT(xx, >, 0.0);
  WeightedLine line;
  line.slope = xy / xx;
  line.intercept = mean_y - line.slope * mean_x;
  for (const auto& p : points) line.chi_square += std::pow((p.y - line.at(p.x)) / p.error, 2);
  line.freedom = static_cast<int>(points.size()) - 2;
  const double scatter =
      line.freedom > 0 ? std::sqrt(std::max(line.chi_square / line.freedom, 1.0)) : 1;
  line.slope_error = scatter / std::sqrt(xx);
  line.intercept_error = scatter * std::sqrt(1 / weights + mean_x * mean_x / xx);
  return line;
}

}  // namespace synthoscope::simulator
