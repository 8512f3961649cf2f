// SPDX-License-Identifier: MIT
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {

std::int64_t number_of(const BeadsSpec& spec, const Grid& grid) {
  return number_of(spec.count, spec.density_per_mm3, 0, grid);
}

void require_valid(const BeadsSpec& s) {
  require_one_number("beads", s.count, s.density_per_mm3);
  require_value(within(s.diameter_um, 0.001, 1e6), "beads.diameter_um", s.diameter_um,
                "0.001 to 1e6");
  require_value(within(s.diameter_spread, 0, 0.25), "beads.diameter_spread", s.diameter_spread,
                "0 to 0.25");
  require_value(within(s.photons, 0, 1e12), "beads.photons", s.photons, "0 to 1e12");
  require_value(within(s.gap_um, 0, 1e6), "beads.gap_um", s.gap_um, "0 to 1e6");
}

}  // namespace synthoscope::simulator
