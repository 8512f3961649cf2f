// SPDX-License-Identifier: MIT
// simulator/phantom/flat/flat_kinds.hpp — the list of kinds that are laid out for devices.
#pragma once
#include "simulator/phantom/beads/flat_beads.hpp"
#include "simulator/phantom/cells/flat_cells.hpp"
#include "simulator/phantom/nuclei/flat_nuclei.hpp"
#include "simulator/phantom/target/flat_target.hpp"
#include "simulator/phantom/tissue/flat_tissue.hpp"
#include "simulator/phantom/volume/flat_volume.hpp"

namespace synthoscope::simulator::device {

/// The objects of a phantom in arrays, but those that consist of strands alone. plain_kinds.hpp
/// lists what a device sees of them.
struct FlatParts {
  FlatNuclei nuclei;
  FlatCells cells;
  FlatBeads beads;
  FlatTarget target;
  FlatVolume volume;
  FlatTissue tissue;
};

}  // namespace synthoscope::simulator::device
