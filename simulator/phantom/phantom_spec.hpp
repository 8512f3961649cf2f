// SPDX-License-Identifier: MIT
// simulator/phantom/phantom_spec.hpp — the objects of a phantom in plain numbers, and what follows
// from them before it is made.
#pragma once
#include <cstdint>
#include "simulator/base/grid.hpp"
#include "simulator/phantom/adherent/adherent_spec.hpp"
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/cells/cells_spec.hpp"
#include "simulator/phantom/neurons/neuron_spec.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/strands/structure.hpp"
#include "simulator/phantom/target/target_spec.hpp"
#include "simulator/phantom/tissue/tissue_spec.hpp"
#include "simulator/phantom/volume/volume_spec.hpp"

namespace synthoscope::simulator {

/// The objects of a phantom, in plain numbers: a member for each kind of kinds.hpp.
struct PhantomSpec {
  NucleiSpec nuclei = {};
  BeadsSpec beads = {};
  TargetSpec target = {};
  VolumeSpec volume = {};
  CellsSpec cells = {};
  TissueSpec tissue = {};
  NeuronSpec neuron = {};
  AdherentSpec adherent = {};
  friend bool operator==(const PhantomSpec&, const PhantomSpec&) = default;
};

/// Returns the number of objects on a grid. @throws IoError, InvalidInput  a file cannot be used.
std::int64_t number_of(const PhantomSpec& spec, const Grid& grid);

/// Returns the largest numbers of strands and of their pieces.
StrandCount strands_of(const PhantomSpec& spec, const Grid& grid);

/// Returns whether objects consist of structures, as cells do.
bool has_structures(const PhantomSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range, or there are more objects than labels hold.
void require_valid(const PhantomSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
