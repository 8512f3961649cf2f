// SPDX-License-Identifier: MIT
// simulator/phantom/shift.cpp — moves all objects of a phantom, as the drift of a sample does.
#include <utility>
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {
namespace {

/// Moves one object by a way.
struct MoveBy {
  const Vector3& way;
  Bounds field;  ///< the grid

  void operator()(Nucleus& nucleus) const { nucleus.move_to(nucleus.centre() + way); }
  void operator()(Cell& cell) const { cell.move_by(way); }
  void operator()(Neuron& neuron) const { neuron.move_by(way); }
  void operator()(TissueCell& cell) const {
    std::vector<HalfSpace> sides = cell.sides();
    for (HalfSpace& side : sides) side.offset += dot(side.normal, way);
    TissueCell moved{std::move(sides), field};
    if (cell.nucleus) {
      (*this)(*cell.nucleus);
      moved.nucleus.emplace(std::move(*cell.nucleus));
    }
    cell = std::move(moved);
  }
  void operator()(Region& region) const {
    region.box = {region.box.low + way, region.box.high + way};
    region.middle = region.middle + way;
  }
  void operator()(PointTarget& point) const { point.at = point.at + way; }
  /// For beads, lines, shells and stars.
  template <class Member>
  void operator()(Member& member) const {
    member.centre = member.centre + way;
  }
};

void move_volume(Phantom& phantom, const Vector3& way) {
  auto moved = std::make_shared<ImportedVolume>(*phantom.volume);
  for (VoxelLattice* lattice : {&moved->labelled.lattice, &moved->light.lattice})
    lattice->corner = lattice->corner + way;
  for (Region& region : phantom.regions) region.voxels = &moved->labelled;
  phantom.volume = std::move(moved);
}

}  // namespace

void shift(Phantom& phantom, const Vector3& way) {
  if (way == Vector3{}) return;
  const MoveBy move{way, {{}, size_um(phantom.grid)}};
  for_each_kind(phantom, [&](auto& bodies) {
    for (auto& body : bodies) move(body);
  });
  if (phantom.volume) move_volume(phantom, way);
}

}  // namespace synthoscope::simulator
