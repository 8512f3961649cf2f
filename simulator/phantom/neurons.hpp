// SPDX-License-Identifier: MIT
// simulator/phantom/neurons.hpp — traced neurons as tubes in a grid.
#pragma once
#include <vector>
#include "core/base/log.hpp"
#include "simulator/grid.hpp"
#include "simulator/phantom/neuron.hpp"
#include "simulator/phantom/neuron_spec.hpp"

namespace synthoscope::simulator {

/// The neurons of `spec` where they lie in `grid`, in the order of their roots.
///
/// A tube goes from every point to its parent and is as wide at each end as the point there; a root
/// is a ball, and a soma of three points, the middle and two a radius to either side of it, is that
/// ball alone. A branch that leaves a soma begins at its surface and is as wide as its first point,
/// for the soma's radius is that of the cell's body.
/// @throws IoError, InvalidInput  as read_swc.
std::vector<Neuron> make_neurons(const NeuronSpec& spec, const Grid& grid);

/// Warns where some of them lie wholly outside of the grid.
void tell_what_is_outside(const std::vector<Neuron>& neurons, const Grid& grid, Log& log);

}  // namespace synthoscope::simulator
