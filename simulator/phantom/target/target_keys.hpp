// SPDX-License-Identifier: MIT
// simulator/phantom/target/target_keys.hpp — the keys of [target].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/target/target_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_target_keys(Rows& rows) {
  rows.add("kind", "", kAny,
           "points: single voxels on a lattice, at their centres; lines: round rods along y on a "
           "lattice of z and x; shells: hollow balls on a lattice; star: a disc of wedges in the "
           "middle. The target is added to nuclei and beads, which keep their labels",
           &TargetSpec::kind);
  rows.add(
      "spacing_um", "um", Range{0, kHuge, true},
      "spacing of the lattice along z, y and x, which is centred in the grid; rounded to voxels "
      "for points",
      &TargetSpec::spacing_um);
  rows.add_optional(
      "0.3 for lines, half the smallest spacing for shells, 0.8 of the grid for the star",
      "diameter_um", "um", Range{0, kHuge, true}, "diameter of a line, a shell, the star",
      &TargetSpec::diameter_um);
  rows.add("thickness_um", "um", Range{0, kHuge, true},
           "thickness of the wall of the shells, height of the star", &TargetSpec::thickness_um);
  rows.add("spokes", "", Range{2, 360},
           "number of wedges of the star, as wide as the gaps between them", &TargetSpec::spokes);
  rows.add("photons", "photons per exposure", Range{0, 1e12},
           "expected photons from a point, added up over the pixels of the plane in focus",
           &TargetSpec::photons);
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of a line, a shell, the star",
           &TargetSpec::photons_per_um3);
}

}  // namespace synthoscope::simulator
