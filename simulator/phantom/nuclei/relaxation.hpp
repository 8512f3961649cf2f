// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/relaxation.hpp — pushes apart nuclei that are too near each other.
#pragma once
#include <vector>
#include "core/run/stop.hpp"
#include "simulator/phantom/nuclei/centre_region.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {

/// A nucleus that may be moved within its region, and the gap that it keeps to others.
struct Pushed {
  Nucleus* nucleus;
  CentreRegion region;
  double gap_um;
};

/// Moves nuclei until are_apart(a, b, gap_um) holds for every pair, with the larger of their two
/// gaps. Each pair that is too near is pushed apart, each nucleus by half of the way, along the
/// direction in which the least is missing, or away from each other's middle if they overlap
/// deeply; never along an axis on which the walls of their regions leave neither of them a way.
/// Pairs are pushed one after another, in the order of places, so that the result is a function of
/// the arguments only. Centres stay in their regions.
/// @return  false if they are jammed, or not apart after 2000 turns.
/// @throws Interrupted  `stop` was set.
bool push_apart(const std::vector<Pushed>& all, const StopFlag& stop);

}  // namespace synthoscope::simulator
