// SPDX-License-Identifier: MIT
#include "simulator/truth/nearest_neighbour.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace synthoscope::simulator {
namespace {

double distance_um(const Point3& a, const Point3& b) {
  return std::hypot(a.z_um - b.z_um, a.y_um - b.y_um, a.x_um - b.x_um);
}

}  // namespace

std::vector<double> nearest_distances_um(const std::vector<Point3>& points) {
  // In the order of x, only points that are nearer in x than the nearest one so far are looked at
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return points[a].x_um < points[b].x_um; });
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::vector<double> nearest(points.size(), kFar);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Point3& here = points[order[i]];
    double& best = nearest[order[i]];
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      const Point3& other = points[order[k]];
      if (other.x_um - here.x_um >= best) break;
      const double distance = distance_um(here, other);
      best = std::min(best, distance);
    }
    for (std::size_t k = i; k-- > 0;) {
      const Point3& other = points[order[k]];
      if (here.x_um - other.x_um >= best) break;
      best = std::min(best, distance_um(here, other));
    }
  }
  for (double& distance : nearest)
    if (distance == kFar) distance = std::numeric_limits<double>::quiet_NaN();
  return nearest;
}

}  // namespace synthoscope::simulator
