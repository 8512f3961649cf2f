// SPDX-License-Identifier: MIT
// simulator/phantom/beads/flat_beads.hpp — beads laid out in an array for a device.
#pragma once
#include <vector>
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/beads/plain_beads.hpp"
#include "simulator/phantom/kind/light_spec.hpp"

namespace synthoscope::simulator::device {

inline BeadBody plain_body_of(const Bead&) {
  return {};
}

struct FlatBeads {
  PlainBeads figures;
  std::vector<Bead> all;

  void lay_out(const auto& phantom, const LightSpec& light, const auto&) {
    all = phantom.beads;
    for (Bead& bead : all) bead.photons_per_um3 *= light.beads;
  }
  void for_each_array(auto& view, auto&& visit) const { visit(all, view.all); }
  static std::int64_t bytes(const auto& spec, const Grid& grid) {
    return number_of(spec.beads, grid) * std::int64_t{sizeof(Bead)};
  }
};

}  // namespace synthoscope::simulator::device
