// SPDX-License-Identifier: MIT
// score/spots/spot_pairs.hpp — which result belongs to which true spot.
#pragma once
#include <cstddef>
#include <vector>
#include "core/run/run_context.hpp"
#include "score/spots/spot.hpp"

namespace synthoscope::score {

struct SpotPair {
  std::size_t truth = 0, result = 0;  ///< places in the lists
  double distance_um = 0;
};

/// Pairs true spots and results of the same frame, each with at most one, that are at most
/// `radius_um` apart. The number of pairs is the largest possible, and of all choices with this
/// number the sum of distances is the least.
/// @param is_plane  z does not count
/// @returns  by rising truth
/// @throws InvalidSpec  the radius is not above 0 and finite.
/// @throws PlanError    the memory has no room.  @throws Interrupted
std::vector<SpotPair> pair_spots(const std::vector<Spot>& truth, const std::vector<Spot>& results,
                                 double radius_um, bool is_plane, const RunContext& context);

}  // namespace synthoscope::score
