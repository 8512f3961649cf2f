// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/neuron_keys.hpp — the keys of [neuron].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/neurons/neuron_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_neuron_keys(Rows& rows) {
  rows.add_optional("none", "file", "", kAny,
                    "SWC file of traced neurons: a line \"id type x y z radius parent\" for each "
                    "point, in um. Every tree is an object",
                    &NeuronSpec::file);
  rows.add("scale", "", Range{0, kHuge, true}, "unit of all lengths in the file",
           &NeuronSpec::scale);
  rows.add_optional("the middle of the grid", "centre_um", "um", Range{-kHuge, kHuge},
                    "position of the middle of the box around all "
                    "points, from the grid's corner, along z, y and x",
                    &NeuronSpec::centre);
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of neuron", &NeuronSpec::photons_per_um3);
}

}  // namespace synthoscope::simulator
