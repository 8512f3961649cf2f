// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei_spec.hpp — a population of nuclei, in plain numbers with defaults.
#pragma once
#include <cstdint>
#include <optional>
#include "core/names.hpp"
#include "core/units.hpp"
#include "simulator/grid.hpp"

namespace synthoscope::simulator {

/// flat: turned about z only, as cells lie on a cover glass; random: turned any way.
enum class Orientation { flat, random };
inline constexpr NameTable<Orientation, 2> kOrientationNames{{
    {Orientation::flat, "flat"},
    {Orientation::random, "random"},
}};

/// inside: every nucleus lies wholly in the grid; cut: only its centre has to.
enum class BorderRule { inside, cut };
inline constexpr NameTable<BorderRule, 2> kBorderRuleNames{{
    {BorderRule::inside, "inside"},
    {BorderRule::cut, "cut"},
}};

/// Nuclei are ellipsoids whose surface is deformed by smooth random harmonics. No two overlap.
///
///     surface in direction u:  semi-axes * R * u * (1 + roughness * h(u)),   |u| = 1
///
/// with h a random sum of real spherical harmonics of degrees 2 ... degree, of root mean square 1
/// over the sphere, variance falling as 1/degree^3.
struct NucleiSpec {
  std::optional<std::int64_t> count = {};      ///< 0 ... 65535; absent: 10, or by density
  std::optional<double> density_per_mm3 = {};  ///< >= 0, beside no count
  double radius_um = 3.0;      ///< mean over the population of the radius of equal volume, > 0
  double radius_spread = 0.1;  ///< standard deviation over mean of that radius, 0 ... 0.25
  Point3 axis_ratios{0.8, 1.0, 1.25};  ///< semi-axes z, y, x before turning, up to a common factor
  Orientation orientation = Orientation::flat;
  double roughness = 0.04;  ///< rms deviation of the surface, relative to the radius, 0 ... 0.1
  std::int64_t degree = 4;  ///< highest harmonic, 2 ... 6
  double gap_um = 0.3;      ///< smallest distance between two nuclei, >= 0
  BorderRule border = BorderRule::inside;

  /// Chance that a nucleus joins a cluster that is there already; else it begins one of its own.
  double clustering = 0;  ///< 0 ... 1; 0: uniform in the free room
  /// A joining nucleus lies at a distance d from the nucleus that began its cluster with a density
  /// ~ exp(-d^2 / width^2) over the free room.
  std::optional<double> cluster_width_um = {};  ///< > 0; absent: twice radius_um

  /// Photons that the camera would receive in one exposure from one cubic micrometre of nucleus,
  /// if all that the objective collects of it fell on one plane. Independent of the voxel size.
  double photons_per_um3 = 4000;

  /// Chromatin: density is photons_per_um3 * (1 + texture_contrast * t), t in [-1, 1] with mean 0,
  /// a sum of `texture_octaves` octaves of noise of equal variance, the longest with wavelength
  /// texture_wavelength_um. Equal variance per octave is the spectrum k^-3 of chromatin below its
  /// correlation length of 3.7 um. @source neutron scattering, Phys. Rev. E 96 (2017) 012411.
  double texture_contrast = 0.6;  ///< 0 ... 1
  double texture_wavelength_um = 3.7;
  std::int64_t texture_octaves = 4;  ///< 1 ... 8

  friend bool operator==(const NucleiSpec&, const NucleiSpec&) = default;
};

/// How many there are on a grid.
std::int64_t number_of(const NucleiSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const NucleiSpec& spec);

}  // namespace synthoscope::simulator
