// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom_spec.hpp"
#include <fmt/format.h>
#include "core/error.hpp"
#include "simulator/phantom/population.hpp"

namespace synthoscope::simulator {

std::int64_t number_of(const PhantomSpec& spec, const Grid& grid) {
  return number_of(spec.nuclei, grid) + number_of(spec.beads, grid) + number_of(spec.target, grid);
}

void require_valid(const PhantomSpec& spec, const Grid& grid) {
  require_valid(spec.nuclei);
  require_valid(spec.beads);
  require_valid(spec.target, grid);
  if (number_of(spec, grid) > kMostObjects)
    throw InvalidSpec(fmt::format(
        "check the scene: nuclei, beads and target are {} + {} + {} objects, labels tell {} apart; "
        "ask for fewer in nuclei.count, beads.count or a density, or for a wider "
        "target.spacing_um",
        number_of(spec.nuclei, grid), number_of(spec.beads, grid), number_of(spec.target, grid),
        kMostObjects));
}

}  // namespace synthoscope::simulator
