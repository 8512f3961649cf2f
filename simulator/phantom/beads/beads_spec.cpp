// SPDX-License-Identifier: MIT
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/beads/beads_keys.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {

std::int64_t number_of(const BeadsSpec& spec, const Grid& grid) {
  return number_of(spec.count, spec.density_per_mm3, 0, grid);
}

void require_valid(const BeadsSpec& s) {
  require_one_number("beads", s.count, s.density_per_mm3);
  RangeCheck check{"beads", s};
  list_beads_keys(check);
}

}  // namespace synthoscope::simulator
