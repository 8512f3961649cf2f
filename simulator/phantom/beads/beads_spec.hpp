// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads_spec.hpp — a population of fluorescent beads, in plain numbers.
#pragma once
#include <cstdint>
#include <optional>
#include "simulator/phantom/nuclei/nuclei_spec.hpp"

namespace synthoscope::simulator {

/// Evenly stained balls. They keep gap_um from each other and from all obstacles.
struct BeadsSpec {
  std::optional<std::int64_t> count = {};      ///< 0 ... 65535; absent: 0, or by density
  std::optional<double> density_per_mm3 = {};  ///< >= 0; only without `count`
  double count_spread = 0;        ///< of independent frames, relative to either number, 0 ... 1
  double diameter_um = 0.2;       ///< mean, > 0
  double diameter_spread = 0.03;  ///< standard deviation over mean, 0 ... 0.25
  /// Photons that the camera would receive in one exposure from a bead of the mean diameter, if all
  /// light that the objective collects fell on one plane. Beads of other diameters have as many per
  /// volume. >= 0.
  double photons = 20000;
  double intensity_spread = 0;            ///< of ln(light) between beads, 0 ... 2
  double intensity_size_correlation = 0;  ///< of ln(light) with the size, -1 ... 1
  double gap_um = 1;                      ///< smallest distance between two surfaces, >= 0
  BorderRule border = BorderRule::inside;
  friend bool operator==(const BeadsSpec&, const BeadsSpec&) = default;
};

/// Returns the number of beads on a grid.
std::int64_t number_of(const BeadsSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const BeadsSpec& spec);

}  // namespace synthoscope::simulator
