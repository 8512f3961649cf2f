// SPDX-License-Identifier: MIT
// simulator/world/simple_bodies.cpp — bodies of a few numbers in the tables of a world: beads,
// members of a target, regions of an imported volume, neurons.
#include "simulator/world/kinds.hpp"

namespace synthoscope::simulator {

TableSizes table_sizes_of_simple_bodies(const WorldSize& room) {
  const std::int64_t target = room.frames * number_of(room.spec.target, room.grid);
  const auto members = [&](TargetKind kind) { return room.spec.target.kind == kind ? target : 0; };
  return {{"/bead", room.frames * number_of(room.spec.beads, room.grid), 7},
          {"/point", members(TargetKind::points), 6},
          {"/line", members(TargetKind::lines), 8},
          {"/shell", members(TargetKind::shells), 8},
          {"/star", members(TargetKind::star), 9}};
}

void describe(const PlacedObject& placed, const Bead& bead) {
  TableRow row = placed.row("/bead");
  row.vector("centre_um", bead.centre);
  row.real("radius_um", bead.radius_um);
  row.real("photons_per_um3", bead.photons_per_um3);
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

TableSizes table_sizes_of_regions(const WorldSize& room) {
  return {{"/region", room.frames * number_of(room.spec.volume), 8}};
}

void describe(const PlacedObject& placed, const Region& region) {
  TableRow row = placed.row("/region");
  row.whole("file_label", region.file_label);
  row.vector("centroid_um", region.middle);
  row.real("volume_um3", region.um3);
  row.real("photons_per_um3", region.photons_per_um3);
}

TableSizes table_sizes_of_neurons(const WorldSize& room) {
  const NeuronSpec& spec = room.spec.neuron;
  return {{"/neuron", room.frames * number_of(spec), 3},
          {"/neuron/segment", room.frames * std::ssize(points_of(spec)), 1 + kSegmentValues}};
}

void describe(const PlacedObject& placed, const Neuron& neuron) {
  TableRow row = placed.row("/neuron");
  row.real("photons_per_um3", neuron.strands().front().photons_per_um3);
  for (const Segment& segment : neuron.strands().front().strand.segments()) {
    TableRow its = placed.part("/neuron/segment", "neuron");
    describe(its, segment);
  }
}

}  // namespace synthoscope::simulator
