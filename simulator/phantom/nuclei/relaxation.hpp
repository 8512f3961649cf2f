// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/relaxation.hpp — pushes apart nuclei that are too near each other.
#pragma once
#include <limits>
#include <vector>
#include "core/run/stop.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {

/// Where the centre of a nucleus may lie: in a closed box and between two balls around `middle`.
struct CentreRegion {
  Vector3 low, high;
  Vector3 middle{};
  double nearest_um = 0, farthest_um = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool is_ball() const {
    return farthest_um < std::numeric_limits<double>::infinity();
  }
  /// Returns `position`, or a place of the region near it; if the box cuts a shell, the place is in
  /// the box but perhaps not in the shell.
  [[nodiscard]] Vector3 kept(Vector3 position) const;
};

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
