// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/neuron_kind.hpp — traced neurons as a kind of objects of a phantom.
#pragma once
#include <vector>
#include "core/base/log.hpp"
#include "core/run/run_context.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/base/range.hpp"
#include "simulator/phantom/kind/intensity_keys.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/neurons/neuron.hpp"
#include "simulator/phantom/neurons/neuron_spec.hpp"
#include "simulator/phantom/strands/structure.hpp"

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
  list_intensity_keys(rows, "neurons");
}

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

/// Returns the weight of a neuron's strand.
inline double weight_of(const LightSpec& light, const Neuron&, Structure) {
  return light.neuron;
}

inline void move_by(Neuron& neuron, const Vector3& way, const Bounds&) {
  neuron.move_by(way);
}

void describe(const PlacedObject& placed, const Neuron& neuron);

namespace kinds {

struct Neurons {
  static constexpr std::string_view kName = "neuron";

  /// None in arrays for devices, where strands of all kinds lie together.
  static auto part(auto& all) -> decltype((all.neuron)) { return all.neuron; }
  static auto& bodies(auto& phantom) { return phantom.neurons; }
  static double weight(const LightSpec& light) { return light.neuron; }
  static bool has_small_lights(const NeuronSpec&, const LightSpec& light) {
    return light.neuron > 0;
  }
  static bool is_present(const NeuronSpec& spec) { return spec.file.has_value(); }
  static void list_keys(auto& rows) { list_neuron_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid&) {
    return number_of(all.neuron) * std::int64_t{sizeof(Neuron)};
  }
  static StrandCount strands(const auto& all, const Grid&) {
    return {number_of(all.neuron), std::ssize(points_of(all.neuron))};
  }
  static void place(auto& phantom, std::uint64_t, const RunContext& context) {
    phantom.neurons = make_neurons(phantom.spec.neuron, phantom.grid);
    warn_of_neurons_outside(phantom.neurons, phantom.grid, context.log);
  }
  static TableSizes tables(const auto& world) {
    const NeuronSpec& spec = world.spec.neuron;
    return {{"/neuron", world.frames * number_of(spec), 3},
            {"/neuron/segment", world.frames * std::ssize(points_of(spec)), 1 + kSegmentValues}};
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
