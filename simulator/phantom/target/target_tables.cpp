// SPDX-License-Identifier: MIT
// simulator/phantom/target/target_tables.cpp — members of a target in the tables of a world.
#include "simulator/phantom/target/target_kind.hpp"

namespace synthoscope::simulator {

TableSizes tables_of_target(const TargetSpec& spec, std::int64_t members) {
  const auto rows = [&](TargetKind kind) { return spec.kind == kind ? members : 0; };
  return {{"/point", rows(TargetKind::points), 6},
          {"/line", rows(TargetKind::lines), 8},
          {"/shell", rows(TargetKind::shells), 8},
          {"/star", rows(TargetKind::star), 9}};
}

void describe(const PlacedObject& placed, const PointTarget& point) {
  TableRow row = placed.row("/point");
  row.vector("centre_um", point.at);
  row.real("photons", point.photons);
}

void describe(const PlacedObject& placed, const LineTarget& line) {
  TableRow row = placed.row("/line");
  row.vector("centre_um", line.centre);
  row.real("radius_um", line.radius_um);
  row.real("half_length_um", line.half_length_um);
  row.real("photons_per_um3", line.photons_per_um3);
}

void describe(const PlacedObject& placed, const ShellTarget& shell) {
  TableRow row = placed.row("/shell");
  row.vector("centre_um", shell.centre);
  row.real("radius_um", shell.radius_um);
  row.real("inner_um", shell.inner_um);
  row.real("photons_per_um3", shell.photons_per_um3);
}

void describe(const PlacedObject& placed, const StarTarget& star) {
  TableRow row = placed.row("/star");
  row.vector("centre_um", star.centre);
  row.real("radius_um", star.radius_um);
  row.real("half_height_um", star.half_height_um);
  row.whole("spokes", star.spokes);
  row.real("photons_per_um3", star.photons_per_um3);
}

}  // namespace synthoscope::simulator
