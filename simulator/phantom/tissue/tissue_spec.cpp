// SPDX-License-Identifier: MIT
#include "simulator/phantom/tissue/tissue_spec.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/tissue/tissue_keys.hpp"

namespace synthoscope::simulator {

std::int64_t number_of(const TissueSpec& spec, const Grid& grid) {
  return number_of(spec.count, spec.density_per_mm3, 0, grid);
}

void require_valid(const TissueSpec& s) {
  require_one_number("tissue", s.count, s.density_per_mm3);
  RangeCheck check{"tissue", s};
  list_tissue_keys(check);
}

}  // namespace synthoscope::simulator
