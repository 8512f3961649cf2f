// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/neuron_tables.cpp — neurons in the tables of a world.
#include "simulator/phantom/neurons/neuron_kind.hpp"

namespace synthoscope::simulator {

void describe(const PlacedObject& placed, const Neuron& neuron) {
  TableRow row = placed.row("/neuron");
  row.real("photons_per_um3", neuron.strands().front().photons_per_um3);
  for (const Segment& segment : neuron.strands().front().strand.segments()) {
    TableRow its = placed.part("/neuron/segment", "neuron");
    describe(its, segment);
  }
}

}  // namespace synthoscope::simulator
