// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/tissue_spec.hpp — cells side by side that fill the field, in plain
// numbers.
#pragma once
#include <cstdint>
#include <optional>
#include "core/base/units.hpp"
#include "simulator/base/grid.hpp"

namespace synthoscope::simulator {

/// Cells of a tissue: the grid is divided among weighted points (a power diagram), so that every
/// cell is a convex polyhedron. The grid cuts cells at its faces; the tissue continues beyond. Each
/// cell has a membrane and, in its middle, a nucleus that [nuclei] describes.
struct TissueSpec {
  std::optional<std::int64_t> count = {};      ///< 0 ... 65535; absent: 0, or by density
  std::optional<double> density_per_mm3 = {};  ///< >= 0; only without `count`
  double count_spread = 0;      ///< of independent frames, relative to either number, 0 ... 1
  Point3 axis_ratios{1, 1, 1};  ///< how long cells are along z, y, x, up to a common factor
  double size_spread = 0.15;    ///< relative spread of the radius that cells claim, 0 ... 0.25
  std::int64_t regularity = 4;  ///< how often points move to the middles of their cells, 0 ... 50
  double gap_um = 0.2;          ///< between the membranes of two cells, >= 0
  double membrane_um = 0.2;     ///< thickness, >= 0
  bool nuclei = true;           ///< one in every cell that has space for it
  double membrane_photons_per_um3 = 3000;  ///< as in NucleiSpec, >= 0
  double cytoplasm_photons_per_um3 = 200;  ///< outside membrane and nucleus, >= 0
  double intensity_spread = 0;             ///< of ln(light) between cells, 0 ... 2
  double intensity_size_correlation = 0;   ///< of ln(light) with the size, -1 ... 1
  friend bool operator==(const TissueSpec&, const TissueSpec&) = default;
};

/// Returns the number of cells on a grid.
std::int64_t number_of(const TissueSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const TissueSpec& spec);

}  // namespace synthoscope::simulator
