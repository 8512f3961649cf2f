// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nuclei_spec.hpp — a population of nuclei, in plain numbers with
// defaults.
#pragma once
#include <cstdint>
#include <optional>
#include "core/base/names.hpp"
#include "core/base/units.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/texture/noise_field.hpp"

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

/// free: anywhere in the grid; spheroid: packed into a ball around the grid's middle; shell: on a
/// hollow ball around it, like the cells of a blastula; monolayer: on a plane, as on a cover glass.
enum class Arrangement { free, spheroid, shell, monolayer };
inline constexpr NameTable<Arrangement, 4> kArrangementNames{{
    {Arrangement::free, "free"},
    {Arrangement::spheroid, "spheroid"},
    {Arrangement::shell, "shell"},
    {Arrangement::monolayer, "monolayer"},
}};

/// Kinds of nuclei; see set_typical.
enum class NucleiKind { generic, hl60, granulocyte, fibroblast, adherent, mouse };
inline constexpr NameTable<NucleiKind, 6> kNucleiKindNames{{
    {NucleiKind::generic, "generic"},
    {NucleiKind::hl60, "hl60"},
    {NucleiKind::granulocyte, "granulocyte"},
    {NucleiKind::fibroblast, "fibroblast"},
    {NucleiKind::adherent, "adherent"},
    {NucleiKind::mouse, "mouse"},
}};

inline constexpr NameTable<TextureKind, 4> kTextureKindNames{{
    {TextureKind::chromatin, "chromatin"},
    {TextureKind::perlin, "perlin"},
    {TextureKind::none, "none"},
    {TextureKind::domains, "domains"},
}};

/// Nuclei are ellipsoids whose surface is deformed by smooth random harmonics, or chains of
/// several such lobes.
///
///     surface in direction u:  semi-axes * R * u * (1 + roughness * h(u) + squareness * c(u)),
///
/// |u| = 1, with h a random sum of real spherical harmonics of degrees 2 ... degree, of root mean
/// square 1 over the sphere, variance falling as 1/degree^3, and c the cushion of cushioned().
/// Folds (Fold) take a part of it.
struct NucleiSpec {
  NucleiKind kind = NucleiKind::generic;   ///< names the kind that set the defaults; has no effect
  std::optional<std::int64_t> count = {};  ///< 0 ... 65535; absent: 10, or by density
  std::optional<double> density_per_mm3 = {};  ///< >= 0; only without `count`
  double count_spread = 0;     ///< of independent frames, relative to either number, 0 ... 1
  double radius_um = 3.0;      ///< mean over the population of the radius of equal volume, > 0
  double radius_spread = 0.1;  ///< relative standard deviation of the radius, 0 ... 0.25
  Point3 axis_ratios{0.8, 1.0, 1.25};  ///< semi-axes z, y, x before turning, up to a common factor
  Orientation orientation = Orientation::flat;
  double roughness = 0.04;  ///< rms deviation of the surface, relative to the radius, 0 ... 0.1
  std::int64_t degree = 4;  ///< highest harmonic, 2 ... 6
  double squareness = 0;    ///< 0 (an ellipsoid) ... 1.5; for nuclei of one lobe
  // Variation of the axes, and the deformations of Outline; for nuclei of one lobe
  double axis_spread = 0;           ///< relative standard deviation of each semi-axis, 0 ... 0.25
  double asymmetry = 0;             ///< rms of harmonics of degree 3, 0 ... 0.1
  std::int64_t indentations = 0;    ///< in each nucleus, 0 ... 6
  double indentation_depth = 0.08;  ///< mean, relative to the radius, 0 ... 0.3
  double folds = 0;                 ///< mean number in a nucleus, 0 ... 4
  double fold_depth = 0.3;          ///< mean, relative to the radius, 0 ... 0.33
  double fold_um = 1;               ///< width at half of the depth, 0.1 ... 10
  std::int64_t fewest_lobes = 1, most_lobes = 1;  ///< each number is equally likely, 1 ... 5
  /// Smallest distance between two nuclei. If negative, they may overlap by that much, at most half
  /// the smallest semi-axis; the overlap has light and label of the lower id only.
  double gap_um = 0.3;
  BorderRule border = BorderRule::inside;

  Arrangement arrangement = Arrangement::free;
  /// Radius of the ball that contains a spheroid, or on which the centres of a shell's outer layer
  /// lie, > 0. Absent: computed from the number of nuclei.
  std::optional<double> arrangement_radius_um = {};
  std::int64_t layers = 1;  ///< of a shell, 1 ... 5
  /// z of the plane on which the nuclei of a monolayer lie. Absent: the mean nucleus is in the
  /// middle of the grid.
  std::optional<double> glass_um = {};  ///< >= 0

  /// Probability that a nucleus joins an existing cluster; otherwise it begins a new one.
  double clustering = 0;  ///< 0 ... 1; 0: uniform in the free space
  /// A joining nucleus lies at a distance d from the nucleus that began its cluster with a density
  /// ~ exp(-d^2 / width^2) over the free space.
  std::optional<double> cluster_width_um = {};  ///< > 0; absent: twice radius_um

  /// Photons that the camera would receive in one exposure from one cubic micrometre of nucleus, if
  /// all light that the objective collects fell on one plane. Independent of the voxel size.
  double photons_per_um3 = 4000;
  double intensity_spread = 0;            ///< of ln(light) between nuclei, 0 ... 2
  double intensity_size_correlation = 0;  ///< of ln(light) with the size, -1 ... 1
  double uneven_stain = 0;                ///< within one, 0 ... 1; see ObjectLight

  TextureKind texture = TextureKind::chromatin;
  /// Density is photons_per_um3 * (1 + texture_contrast * t), t in [-1, 1] with mean 0,
  /// a sum of `texture_octaves` octaves of noise of equal variance, the longest with wavelength
  /// texture_wavelength_um. Equal variance per octave is the spectrum k^-3 of chromatin below its
  /// correlation length of 3.7 um. @source neutron scattering, Phys. Rev. E 96 (2017) 012411.
  double texture_contrast = 0.6;  ///< 0 ... 1
  double texture_wavelength_um = 3.7;
  std::int64_t texture_octaves = 4;  ///< 1 ... 8

  /// Lacunae and clumps of DomainFigures: parts of the volume, the density that remains in lacunae,
  /// and the additional density of clumps.
  double lacuna_share = 0.1, lacuna_density = 0.4;  ///< 0 ... 0.5, 0 ... 1
  double clump_share = 0.1, clump_density = 0.6;    ///< 0 ... 0.5, 0 ... 10
  double domain_border = 0.8;  ///< of both, in standard deviations of the field, 0.05 ... 4
  /// The warp: displacement of domains, and the wavelength of the warp of domains and nucleoli.
  double warp_um = 0.4;             ///< standard deviation along each axis, 0 ... 1e6
  double warp_wavelength_um = 2.6;  ///< > 0

  /// Heterochromatin along the envelope: the density is multiplied by
  ///
  ///     1 + envelope_density * (1 - (d / envelope_um)^2)^2
  ///
  /// at a depth d below the surface, down to envelope_um.
  double envelope_density = 0;  ///< 0 ... 10
  double envelope_um = 1;       ///< > 0

  /// Nucleoli are stained weakly. They are as flat and long as their lobe.
  std::int64_t nucleoli = 0;       ///< in each nucleus, 0 ... 8
  double nucleolus_radius = 0.22;  ///< mean, relative to the lobe's radius, 0.05 ... 0.5
  double nucleolus_density = 0.3;  ///< of the stain, relative to the surroundings, 0 ... 1
  /// With a height, nucleoli are as wide as long and this many times as high, at most as high as
  /// their lobe; each consists of 1 ... nucleolus_parts parts that touch, and its surface is
  /// warped.
  std::optional<double> nucleolus_height = {};  ///< 0.2 ... 10; absent: as flat as their lobe
  double nucleolus_spread = 0;       ///< relative standard deviation of their radius, 0 ... 0.5
  std::int64_t nucleolus_parts = 1;  ///< 1 ... 5
  double nucleolus_roughness = 0;    ///< displacement of the surface over the radius, 0 ... 1
  /// Chromatin around nucleoli, see around_nucleolus.
  double nucleolus_rim = 0;       ///< additional density at their surface, 0 ... 10
  double nucleolus_rim_um = 0.6;  ///< how far it reaches, > 0

  /// Probability that a nucleus of a still scene is in mitosis: dividing.hpp. 0 ... 1; nuclei of
  /// one lobe only.
  double mitotic_fraction = 0;

  friend bool operator==(const NucleiSpec&, const NucleiSpec&) = default;
};

/// Sets shape and texture of `spec` to the figures of a kind; number, places and light stay.
///
/// hl60:        round nuclei of a cell line in suspension, as the synthetic sets of BBBC024 show
///              them. @source Svoboda, Kozubek, Stejskal, Cytometry A 75A (2009) 494,
///              doi:10.1002/cyto.a.20714, for what they look like; all figures (radius 4.5 um, two
///              nucleoli) are typical.
/// granulocyte: segmented nuclei of 2 to 5 lobes; most have 3 or 4. @source Olins, Olins, Eur. J.
///              Cell Biol. 84 (2005) 181. A volume of 66 um^3: 21.3 % (Schmid-Schoenbein, Shih,
///              Chien, Blood 56 (1980) 866, table 2) of a cell of 8.4 um (Downey et al., J. Appl.
///              Physiol. 69 (1990) 1767, table 1). They have lost their nucleoli. The rest is
///              typical.
/// fibroblast:  flat and long, 5 x 11 x 20 um, with steep sides, as in cells spread on glass;
///              typical figures.
///
/// adherent:    of cells spread on glass, with domains, irregular nucleoli that reach from below to
///              above, and outlines of their own. Figures tuned beside a real DAPI stack, where
///              docs/understand/lifelike-nuclei.md gives no other source.
/// mouse:       as adherent, with chromocentres: bright clumps of pericentric heterochromatin.
void set_typical(NucleiSpec& spec, NucleiKind kind);

/// Returns the smallest semi-axis of a nucleus of mean size with one lobe, or of one of
/// `most_lobes` equal lobes, micrometres.
double smallest_semi_axis_um(const NucleiSpec& spec);

/// Returns whether the nuclei have something that a WarpField displaces.
bool is_warped(const NucleiSpec& spec);

/// Returns the number of nuclei on a grid.
std::int64_t number_of(const NucleiSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const NucleiSpec& spec);

}  // namespace synthoscope::simulator
