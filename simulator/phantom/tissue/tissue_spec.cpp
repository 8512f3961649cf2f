// SPDX-License-Identifier: MIT
#include "simulator/phantom/tissue/tissue_spec.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {

std::int64_t number_of(const TissueSpec& spec, const Grid& grid) {
  return number_of(spec.count, spec.density_per_mm3, 0, grid);
}

void require_valid(const TissueSpec& s) {
  require_one_number("tissue", s.count, s.density_per_mm3);
  for (const double r : {s.axis_ratios.z_um, s.axis_ratios.y_um, s.axis_ratios.x_um})
    require_value(within(r, 0.1, 10), "tissue.axis_ratios", r, "three numbers from 0.1 to 10");
  require_value(within(s.size_spread, 0, 0.25), "tissue.size_spread", s.size_spread, "0 to 0.25");
  require_value(s.regularity >= 0 && s.regularity <= 50, "tissue.regularity",
                static_cast<double>(s.regularity), "0 to 50");
  require_value(within(s.gap_um, 0, 1e6), "tissue.gap_um", s.gap_um, "0 to 1e6");
  require_value(within(s.membrane_um, 0, 1e6), "tissue.membrane_um", s.membrane_um, "0 to 1e6");
  require_value(within(s.membrane_photons_per_um3, 0, 1e12), "tissue.membrane_photons_per_um3",
                s.membrane_photons_per_um3, "0 to 1e12");
  require_value(within(s.cytoplasm_photons_per_um3, 0, 1e12), "tissue.cytoplasm_photons_per_um3",
                s.cytoplasm_photons_per_um3, "0 to 1e12");
}

}  // namespace synthoscope::simulator
