// SPDX-License-Identifier: MIT
// simulator/phantom/flat/flat_phantom.hpp — the objects of a phantom in arrays for a device, and
// the list of kinds that are laid out so.
#pragma once
#include <vector>
#include "simulator/phantom/adherent/flat_adherent.hpp"
#include "simulator/phantom/beads/flat_beads.hpp"
#include "simulator/phantom/cells/flat_cells.hpp"
#include "simulator/phantom/flat/plain_phantom.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/nuclei/flat_nuclei.hpp"
#include "simulator/phantom/object_index.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/phantom/target/flat_target.hpp"
#include "simulator/phantom/tissue/flat_tissue.hpp"
#include "simulator/phantom/volume/flat_volume.hpp"

namespace synthoscope::simulator::device {

/// The objects of a phantom in arrays, but those that consist of strands alone. plain_phantom.hpp
/// lists what a device sees of them.
struct FlatParts {
  FlatNuclei nuclei;
  FlatCells cells;
  FlatBeads beads;
  FlatTarget target;
  FlatVolume volume;
  FlatTissue tissue;
  FlatAdherent adherent;
};

/// The arrays of a PlainPhantom. Refers to nothing of the phantom but arrays that copies of it
/// share.
struct FlatPhantom : FlatParts {
  /// Lays out a phantom, with each kind's light multiplied; dark objects are in no cube.
  explicit FlatPhantom(const Phantom& phantom, const LightSpec& light = {});

  /// Returns a view of these arrays; members that are not pointers also suit copies of the arrays.
  [[nodiscard]] PlainPhantom view() const;

  /// Returns the bytes of all arrays.
  [[nodiscard]] std::int64_t bytes() const;

  /// Calls `visit(array, pointer)` for all arrays and their pointers in `view`, also for those that
  /// are shared.
  template <class Visit>
  void for_each_array(PlainPhantom& view, Visit&& visit) const;

  int kinds = 0;  ///< kStrand, kLightOfNoObject and bits of PlainBodies of all that is not dark
  PlainPhantom figures;
  CubeIndex index;  ///< of objects
  std::vector<PlainObject> objects;
  std::vector<ObjectLight> lights;
  std::vector<PlainStrand> strands;
  std::vector<StrandPiece> pieces;

 private:
  template <class Visit>
  void for_each_own_array(PlainPhantom& view, Visit&& visit) const;
  void lay_out_objects(const Phantom& phantom, const LightSpec& light);
};

/// Returns at least FlatPhantom::bytes plus the voxels of an imported volume, for any phantom of
/// `spec` that is placed on the grid `placed` and rendered with the extent `rendered`.
std::int64_t flat_phantom_bytes(const PhantomSpec& spec, const Grid& placed,
                                const Extent3& rendered);

template <class Visit>
void FlatPhantom::for_each_own_array(PlainPhantom& view, Visit&& visit) const {
  visit(objects, view.objects);
  visit(lights, view.lights);
  visit(strands, view.strands);
  visit(pieces, view.pieces);
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::part(*this); })
      Kind::part(*this).for_each_array(Kind::part(view), visit);
  });
}

template <class Visit>
void FlatPhantom::for_each_array(PlainPhantom& view, Visit&& visit) const {
  for_each_own_array(view, visit);
  visit(index.starts(), view.index.starts);
  visit(index.ids(), view.index.ids);
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::part(*this).for_each_shared_array(Kind::part(view), visit); })
      Kind::part(*this).for_each_shared_array(Kind::part(view), visit);
  });
}

}  // namespace synthoscope::simulator::device
