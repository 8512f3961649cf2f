// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/tissue_keys.hpp — the keys of [tissue].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/tissue/tissue_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_tissue_keys(Rows& rows) {
  list_number_keys(rows, "0, unless density_per_mm3 is given");
  rows.add("axis_ratios", "", Range{0.1, 10},
           "lengths of cells along z, y and x, up to a common factor", &TissueSpec::axis_ratios);
  rows.add("size_spread", "", Range{0, 0.25},
           "standard deviation, divided by the mean, of the radius that a cell claims against its "
           "neighbours",
           &TissueSpec::size_spread);
  rows.add("regularity", "", Range{0, 50},
           "how many times all points move to the middles of their cells, which makes cells more "
           "similar; 0: cells of scattered points",
           &TissueSpec::regularity);
  rows.add("gap_um", "um", Range{0, kHuge}, "distance between two cells", &TissueSpec::gap_um);
  rows.add("membrane_um", "um", Range{0, kHuge},
           "thickness of the membrane, a layer under the sides towards other cells",
           &TissueSpec::membrane_um);
  rows.add(
      "nuclei", "", kAny,
      "a nucleus in the middle of every cell, made with the keys of [nuclei]; a nucleus that would "
      "reach the membrane is made smaller. It has the id of its cell",
      &TissueSpec::nuclei);
  rows.add("membrane_photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of membrane; 0: not stained",
           &TissueSpec::membrane_photons_per_um3);
  rows.add("cytoplasm_photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of the cytoplasm, outside membrane and nucleus",
           &TissueSpec::cytoplasm_photons_per_um3);
}

}  // namespace synthoscope::simulator
