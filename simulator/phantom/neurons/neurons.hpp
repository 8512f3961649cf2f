// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/neurons.hpp — traced neurons as tubes in a grid.
#pragma once
#include <vector>
#include "core/base/log.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/neurons/neuron.hpp"
#include "simulator/phantom/neurons/neuron_spec.hpp"

namespace synthoscope::simulator {

/// Makes the neurons of `spec` at their places in `grid`, in the order of their roots.
///
/// A tube leads from every point to its parent and has at each end the radius of the point there. A
/// root is a ball. A soma of three points, the middle and one a radius to either side of it, is a
/// single ball. A branch that leaves a soma begins at the soma's surface with the radius of its
/// first point, because the soma's radius is the cell body's.
/// @throws IoError, InvalidInput  as read_swc.
std::vector<Neuron> make_neurons(const NeuronSpec& spec, const Grid& grid);

/// Logs a warning if some of them lie wholly outside the grid.
void warn_of_neurons_outside(const std::vector<Neuron>& neurons, const Grid& grid, Log& log);

}  // namespace synthoscope::simulator
