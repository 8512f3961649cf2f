// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_spec.hpp — cells spread on a cover glass, in plain numbers
// with defaults.
#pragma once
#include <cstdint>
#include <optional>
#include "core/base/names.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

/// spread: cells apart from each other, each between its own adhesions; monolayer: cells cover the
/// whole glass, and neighbours share a bent border.
enum class AdherentArrangement { spread, monolayer };
inline constexpr NameTable<AdherentArrangement, 2> kAdherentArrangementNames{{
    {AdherentArrangement::spread, "spread"},
    {AdherentArrangement::monolayer, "monolayer"},
}};

/// Cells on a cover glass: flat below, and above it a smooth height that is thin at the outline and
/// a dome over the nucleus. The nucleus is made with the keys of [nuclei]. Photons are per
/// exposure, as in NucleiSpec; 0 is not stained. Light of cytoplasm and of the nucleus shares no
/// point, and the light of all other structures is added to it.
///
/// Lengths and numbers are those of one bovine endothelial cell of 110 x 68 um, if its pixels are
/// 0.1 um (docs/understand/lifelike-cells.md), unless a source is given.
struct AdherentSpec {
  std::optional<std::int64_t> count = {};      ///< 0 ... 65535; absent: 0, or by density
  std::optional<double> density_per_mm2 = {};  ///< of the glass, >= 0; only without `count`
  AdherentArrangement arrangement = AdherentArrangement::spread;
  BorderRule border = BorderRule::cut;
  double glass_um = 0;  ///< height of the glass above the lowest face of the grid
  double gap_um = 0.5;  ///< between two cells, >= 0

  // The outline of a spread cell
  double radius_um = 26;        ///< mean distance of the adhesions from the nucleus, > 0
  double radius_spread = 0.15;  ///< its relative standard deviation over cells, 0 ... 0.25
  double elongation = 1.5;      ///< of the adhesions along the long axis over across it, 1 ... 5
  std::int64_t fewest_adhesions = 5, most_adhesions = 8;  ///< 3 ... 16
  double protrusions = 1;  ///< mean number of adhesions that are about twice as far, 0 ... 8
  /// Length over which tension and elasticity of an edge balance: the radius of an edge between two
  /// adhesions grows with it. > 0. @source Bischofs, Klein, Lehnert, Bastmeyer, Schwarz, Biophys.
  /// J. 95 (2008) 3488, doi:10.1529/biophysj.108.134296: about 340 um.
  double edge_elasticity_um = 340;
  double scallops = 0.4;  ///< share of the edges with many small adhesions, 0 ... 1

  // Heights
  double lamella_um = 0.35;  ///< of the thin part along the outline, > 0
  double body_um = 1.6;      ///< more than that, around the nucleus, >= 0
  double bumpiness = 0.25;   ///< relative deviation of heights, 0 ... 0.9

  bool nuclei = true;  ///< one in every cell that has space for it

  double intensity_spread = 0;  ///< of ln(light) between cells, 0 ... 2

  double cytoplasm_photons_per_um3 = 300;
  double cytoplasm_contrast = 0.25;  ///< of its texture, 0 ... 1
  double perinuclear = 0.5;          ///< excess of density next to the nucleus, 0 ... 10
  std::int64_t vacuoles = 6;         ///< dark holes in the cytoplasm, 0 ... 100
  double vacuole_radius_um = 0.7;    ///< mean, > 0
  std::int64_t granules = 40;        ///< small bright balls, 0 ... 5000
  double granule_radius_um = 0.12;   ///< > 0
  double granule_photons_per_um3 = 20000;

  std::int64_t stress_fibres = 11000;  ///< in a cell, in bundles, 0 ... 20000
  double fibre_length_um = 8;          ///< mean, > 0
  double fibre_radius_um = 0.06;       ///< median, > 0
  double fibre_spread = 0.4;           ///< standard deviation of the logarithm of radii, 0 ... 1
  std::int64_t edge_fibres = 6;        ///< along each concave edge, 0 ... 20
  std::int64_t mesh_filaments = 9000;  ///< short thin filaments in any direction, 0 ... 20000
  double actin_photons_per_um = 1500;  ///< of a bundle of the median radius

  std::int64_t mitochondria = 115;      ///< in a cell, 0 ... 5000
  double mitochondria_length_um = 2.2;  ///< scale, see its key; > 0
  double mitochondria_radius_um = 0.6;  ///< scale, see its key; > 0
  double mitochondria_matrix = 0.15;    ///< density inside, relative to the wall, 0 ... 1
  double mitochondria_reach_um = 18;  ///< distance from the nucleus at which they are half as dense
  double mitochondria_side = 0.5;     ///< how much farther on one side, 0 ... 0.9
  double mitochondria_together = 0.4;  ///< share that touch another one, 0 ... 1
  double organelle_layer_um = 0.5;     ///< range of heights of mitochondria and granules, >= 0
  double mitochondria_photons_per_um3 = 30000;

  std::int64_t retraction_fibres = 10;  ///< of a spread cell, 0 ... 200
  double retraction_length_um = 4;      ///< mean, > 0
  double retraction_photons_per_um = 300;

  friend bool operator==(const AdherentSpec&, const AdherentSpec&) = default;
};

/// Returns the number of cells on a grid.
std::int64_t number_of(const AdherentSpec& spec, const Grid& grid);

/// Returns the largest distance of a point of a cell from its nucleus, along either axis of the
/// glass.
double most_reach_um(const AdherentSpec& spec, const Grid& grid);

/// Returns the largest numbers of strands and of their pieces in a cell.
StrandCount strands_of_cell(const AdherentSpec& spec);

/// Returns the largest numbers of strands and pieces of all cells of a grid. The cells of a
/// monolayer share its area.
StrandCount strands_of_all(const AdherentSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const AdherentSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
