// SPDX-License-Identifier: MIT
// simulator/phantom/target/target_spec.hpp — a regular test target, in plain numbers with defaults.
#pragma once
#include <cstdint>
#include <optional>
#include "core/base/names.hpp"
#include "core/base/units.hpp"
#include "simulator/base/grid.hpp"

namespace synthoscope::simulator {

/// points: single voxels on a lattice; lines: round rods along y on a lattice of z and x; shells:
/// hollow balls on a lattice; star: a disc of wedges, whose period grows with the radius.
enum class TargetKind { none, points, lines, shells, star };
inline constexpr NameTable<TargetKind, 5> kTargetKindNames{{
    {TargetKind::none, "none"},
    {TargetKind::points, "points"},
    {TargetKind::lines, "lines"},
    {TargetKind::shells, "shells"},
    {TargetKind::star, "star"},
}};

/// A lattice is centred in the grid; its members lie half a spacing or more from the faces.
struct TargetSpec {
  TargetKind kind = TargetKind::none;
  Point3 spacing_um{4, 4, 4};  ///< of the lattice, > 0; for points rounded to voxels
  /// Diameter of lines, shells and the star, > 0. Absent: 0.3 um for lines, half the smallest
  /// spacing for shells, 0.8 of the smaller side of the grid for the star.
  std::optional<double> diameter_um = {};
  double thickness_um = 0.4;      ///< wall of shells, height of the star, > 0
  std::int64_t spokes = 18;       ///< wedges of the star, 2 ... 360
  double photons = 20000;         ///< of each point, as BeadsSpec::photons, >= 0
  double photons_per_um3 = 4000;  ///< of all others, as in NucleiSpec, >= 0
  friend bool operator==(const TargetSpec&, const TargetSpec&) = default;
};

/// Returns the number of objects of the target on a grid.
std::int64_t number_of(const TargetSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range, or the target does not fit `grid`; the
///                      message names key, value and range.
void require_valid(const TargetSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
