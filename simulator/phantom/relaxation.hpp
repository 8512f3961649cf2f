// SPDX-License-Identifier: MIT
// simulator/phantom/relaxation.hpp — pushes nuclei that are too near each other apart.
#pragma once
#include <limits>
#include <vector>
#include "core/run/stop.hpp"
#include "simulator/phantom/nucleus.hpp"

namespace synthoscope::simulator {

/// Where the centre of a nucleus may lie: a box with both its faces, and of it what lies between
/// two balls around one middle.
struct Room {
  Vector3 low, high;
  Vector3 middle{};
  double nearest_um = 0, farthest_um = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool is_ball() const {
    return farthest_um < std::numeric_limits<double>::infinity();
  }
  /// `position`, or a place of the room that is near it; of a shell that the box cuts, one of the
  /// box.
  [[nodiscard]] Vector3 kept(Vector3 position) const;
};

/// A nucleus that may be moved within its room, and what it keeps between itself and others.
struct Pushed {
  Nucleus* nucleus;
  Room room;
  double gap_um;
};

/// Moves nuclei until are_apart(a, b, gap_um) holds of every pair, with the larger of their two
/// gaps. Each pair that is too near is pushed apart, half of the way each, along the direction in
/// which the least is missing, or away from each other's middle if they overlap deeply; along no
/// axis on which the walls of their rooms leave neither of them a way. Pairs take turns in the
/// order of places, one after another, so that the result is a function of the arguments alone.
/// Centres stay in their rooms.
/// @return  false if they are jammed, or not apart after 2000 turns.
/// @throws Interrupted  `stop` was set.
bool push_apart(const std::vector<Pushed>& all, const StopFlag& stop);

}  // namespace synthoscope::simulator
