// SPDX-License-Identifier: MIT
#include "score/spots/nearest_spot.hpp"
#include <algorithm>
#include <limits>
#include <numeric>
#include "simulator/truth/nearest_neighbour.hpp"

namespace synthoscope::score {

std::vector<double> nearest_distances(const std::vector<Spot>& spots, bool is_plane,
                                      const RunContext& context) {
  constexpr std::size_t kOfSpot = 2 * sizeof(std::size_t) + 2 * sizeof(double) + sizeof(Point3);
  const Reservation counted = context.memory.reserve(
      static_cast<std::int64_t>(spots.size() * kOfSpot), "distances of spots");
  std::vector<std::size_t> order(spots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return spots[a].frame != spots[b].frame ? spots[a].frame < spots[b].frame : a < b;
  });
  std::vector<double> distances(spots.size(), std::numeric_limits<double>::infinity());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    context.stop.check();
    while (end < order.size() && spots[order[end]].frame == spots[order[begin]].frame) ++end;
    if (end - begin == 1) continue;
    std::vector<Point3> points;
    for (std::size_t i = begin; i < end; ++i) {
      const AlongZyx& at_um = spots[order[i]].at_um;
      points.push_back({is_plane ? 0 : at_um[0], at_um[1], at_um[2]});
    }
    const std::vector<double> nearest = simulator::nearest_distances_um(points);
    for (std::size_t i = begin; i < end; ++i) distances[order[i]] = nearest[i - begin];
  }
  return distances;
}

}  // namespace synthoscope::score
