// SPDX-License-Identifier: MIT
// simulator/phantom/tissue_spec.hpp — cells side by side that fill the field, in plain numbers.
#pragma once
#include <cstdint>
#include <optional>
#include "core/base/units.hpp"
#include "simulator/grid.hpp"

namespace synthoscope::simulator {

/// Cells of a tissue: the grid is shared out among weighted points (a power diagram), so that every
/// cell is a convex polyhedron. The grid cuts cells at its faces; the tissue goes on beyond. Each
/// has a membrane and, in its middle, a nucleus that is made as [nuclei] says.
struct TissueSpec {
  std::optional<std::int64_t> count = {};      ///< 0 ... 65535; absent: 0, or by density
  std::optional<double> density_per_mm3 = {};  ///< >= 0, beside no count
  Point3 axis_ratios{1, 1, 1};  ///< how long cells are along z, y, x, up to a common factor
  double size_spread = 0.15;    ///< standard deviation of the radius that cells claim, 0 ... 0.25
  std::int64_t regularity = 4;  ///< how often points move to the middles of their cells, 0 ... 50
  double gap_um = 0.2;          ///< between the membranes of two cells, >= 0
  double membrane_um = 0.2;     ///< thickness, >= 0
  bool nuclei = true;           ///< one in every cell, where there is room
  double membrane_photons_per_um3 = 3000;  ///< in the sense of NucleiSpec, >= 0
  double cytoplasm_photons_per_um3 = 200;  ///< of what is neither membrane nor nucleus, >= 0
  friend bool operator==(const TissueSpec&, const TissueSpec&) = default;
};

/// How many cells there are on a grid.
std::int64_t number_of(const TissueSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const TissueSpec& spec);

}  // namespace synthoscope::simulator
