// SPDX-License-Identifier: MIT
// simulator/phantom/flat/plain_kinds.hpp — the list of kinds for devices: their arrays and the
// types of their bodies. Host and device compile this file.
#pragma once
#include "simulator/phantom/beads/plain_beads.hpp"
#include "simulator/phantom/cells/plain_cells.hpp"
#include "simulator/phantom/kind/plain_bodies.hpp"
#include "simulator/phantom/nuclei/plain_nuclei.hpp"
#include "simulator/phantom/target/plain_target.hpp"
#include "simulator/phantom/tissue/plain_tissue.hpp"
#include "simulator/phantom/volume/plain_volume.hpp"

namespace synthoscope::simulator::device {

/// All types of bodies. Objects that consist of strands alone have none.
using PlainBodies = PlainBodyList<NucleusBody, CellBody, BeadBody, PointBody, LineBody, ShellBody,
                                  StarBody, RegionBody, TissueCellBody>;

/// The arrays of each kind.
struct PlainParts {
  PlainNuclei nuclei;
  PlainCells cells;
  PlainBeads beads;
  PlainTarget target;
  PlainVolume volume;
  PlainTissue tissue;
};

}  // namespace synthoscope::simulator::device
