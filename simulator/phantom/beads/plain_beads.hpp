// SPDX-License-Identifier: MIT
// simulator/phantom/beads/plain_beads.hpp — beads in an array; compiled for host and devices.
#pragma once
#include "simulator/phantom/beads/bead.hpp"
#include "simulator/phantom/kind/plain_bodies.hpp"

namespace synthoscope::simulator::device {

/// The array is owned elsewhere.
struct PlainBeads {
  const Bead* all = nullptr;
};

struct BeadBody : EvenBody<BeadBody> {
  static const Bead* array(const auto& p) { return p.beads.all; }
};

}  // namespace synthoscope::simulator::device
