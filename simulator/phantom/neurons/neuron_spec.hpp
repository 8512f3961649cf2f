// SPDX-License-Identifier: MIT
// simulator/phantom/neurons/neuron_spec.hpp — traced neurons from a file, in plain numbers.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/base/units.hpp"
#include "simulator/phantom/geometry/memo.hpp"
#include "simulator/phantom/neurons/swc.hpp"

namespace synthoscope::simulator {

/// Every tree of an SWC file is an object: round tubes from point to point, with the radii of the
/// points. The middle of all points lies in the middle of the grid, or at `centre`.
struct NeuronSpec {
  std::optional<std::filesystem::path> file = {};  ///< SWC; absent: no neurons
  double scale = 1;                   ///< factor of all lengths of the file, which are in um, > 0
  std::optional<Point3> centre = {};  ///< of the box around all points, from the grid's corner
  double photons_per_um3 = 4000;      ///< as in NucleiSpec, >= 0
  double intensity_spread = 0;        ///< of ln(light) between neurons, 0 ... 2
  Memo<std::vector<SwcPoint>> points = {};
  friend bool operator==(const NeuronSpec&, const NeuronSpec&) = default;
};

/// Returns the points of the file; none without a file. @throws IoError, InvalidInput  as read_swc.
const std::vector<SwcPoint>& points_of(const NeuronSpec& spec);

/// Returns the number of trees. @throws IoError, InvalidInput  as read_swc.
std::int64_t number_of(const NeuronSpec& spec);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
/// @throws IoError, InvalidInput  as read_swc.
void require_valid(const NeuronSpec& spec);

}  // namespace synthoscope::simulator
