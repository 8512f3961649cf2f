// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_kind.cpp — describes cells on a cover glass in the tables of
// a world, and keeps balls away from them.
#include "simulator/phantom/adherent/adherent_kind.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::simulator {

bool is_clear_of_ball(const AdherentCell& cell, const Vector3& middle, double radius_um) {
  const Bounds box = cell.core_bounds();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (middle[axis] + radius_um < box.low[axis] || middle[axis] - radius_um > box.high[axis])
      return true;
  // Points under the ball at a distance of a lattice step or less
  const HeightMap map = cell.shape().map;
  const auto steps = std::max(1, static_cast<int>(std::ceil(radius_um / map.step_um)));
  for (int i = -steps; i <= steps; ++i)
    for (int j = -steps; j <= steps; ++j) {
      const double y = radius_um * i / steps, x = radius_um * j / steps;
      const double square = radius_um * radius_um - y * y - x * x;
      if (square < 0) continue;
      const double height = map.at(middle[1] + y, middle[2] + x);
      if (height > 0 && box.low[0] + height > middle[0] - std::sqrt(square)) return false;
    }
  return true;
}

void describe(const PlacedObject& placed, const AdherentCell& cell) {
  TableRow row = placed.row("/adherent");
  row.vector("centroid_um", cell.centroid());
  row.real("volume_um3", cell.volume_um3());
  row.real("area_um2", cell.area_um2());
  row.real("height_um", cell.shape().map.peak);
  row.word("cytoplasm_seed", cell.cytoplasm_seed());
  for (const Vacuole& vacuole : cell.vacuoles()) {
    TableRow its = placed.part("/adherent/vacuole", "cell");
    its.vector("middle_um", vacuole.middle);
    its.real("radius_um", vacuole.radius);
    its.real("half_height_um", vacuole.half_height);
  }
  for (const StainedStrand& stained : cell.strands())
    for (const Segment& segment : stained.strand.segments()) {
      TableRow its = placed.part("/adherent/segment", "cell");
      its.whole("structure", static_cast<std::int64_t>(stained.structure));
      its.real("photons_per_um3", stained.photons_per_um3);
      describe(its, segment);
    }
  if (!cell.nucleus()) return;
  TableRow nucleus = placed.part("/adherent/nucleus", "cell");
  describe(nucleus, *cell.nucleus());
  describe_parts(placed, *cell.nucleus(),
                 {"/adherent/lobe", "/adherent/nucleolus", "/adherent/fold", "cell"});
}

}  // namespace synthoscope::simulator
