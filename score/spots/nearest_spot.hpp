// SPDX-License-Identifier: MIT
// score/spots/nearest_spot.hpp — how far the nearest other spot is.
#pragma once
#include <vector>
#include "core/run/run_context.hpp"
#include "score/spots/spot.hpp"

namespace synthoscope::score {

/// Returns for each spot the distance in micrometres to the nearest other one of its frame;
/// infinity for the only spot of a frame. Takes O(n log n) time.
/// @param is_plane  z does not count
/// @throws PlanError  the memory has no room.  @throws Interrupted
std::vector<double> nearest_distances(const std::vector<Spot>& spots, bool is_plane,
                                      const RunContext& context);

}  // namespace synthoscope::score
