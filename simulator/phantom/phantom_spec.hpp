// SPDX-License-Identifier: MIT
// simulator/phantom/phantom_spec.hpp — all kinds of objects of a phantom, in plain numbers.
#pragma once
#include <cstdint>
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/cells/cells_spec.hpp"
#include "simulator/phantom/neurons/neuron_spec.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/target/target_spec.hpp"
#include "simulator/phantom/tissue/tissue_spec.hpp"
#include "simulator/phantom/volume/volume_spec.hpp"

namespace synthoscope::simulator {

struct PhantomSpec {
  NucleiSpec nuclei = {};
  BeadsSpec beads = {};
  TargetSpec target = {};
  VolumeSpec volume = {};
  CellsSpec cells = {};
  TissueSpec tissue = {};
  NeuronSpec neuron = {};
  friend bool operator==(const PhantomSpec&, const PhantomSpec&) = default;
};

/// Returns the number of objects on a grid. @throws IoError, InvalidInput  a file cannot be used.
std::int64_t number_of(const PhantomSpec& spec, const Grid& grid);

/// Returns the largest numbers of strands and of their pieces.
StrandCount strands_of(const PhantomSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range, or there are more objects than labels hold.
void require_valid(const PhantomSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
