// SPDX-License-Identifier: MIT
// simulator/truth/nearest_neighbour.hpp — how far each of many points is from the next one.
#pragma once
#include <vector>
#include "core/base/units.hpp"

namespace synthoscope::simulator {

/// Returns the distance of each point to the nearest other point in micrometres; NaN for a single
/// point. Needs O(n log n) time and 8 bytes for each point.
std::vector<double> nearest_distances_um(const std::vector<Point3>& points);

}  // namespace synthoscope::simulator
