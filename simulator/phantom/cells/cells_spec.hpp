// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cells_spec.hpp — a population of cells and what is in them, in plain
// numbers.
#pragma once
#include <cstdint>
#include <optional>
#include "core/base/names.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

/// Where spots lie.
enum class SpotPlace { nucleus, cytoplasm, cell };
inline constexpr NameTable<SpotPlace, 3> kSpotPlaceNames{{
    {SpotPlace::nucleus, "nucleus"},
    {SpotPlace::cytoplasm, "cytoplasm"},
    {SpotPlace::cell, "cell"},
}};

/// Cells with a surface like a nucleus', a membrane under it, a nucleus, cytoplasm and organelles.
/// Photons are per exposure, if all light that the objective collects fell on one plane; 0 is not
/// stained. Light of overlapping structures adds up, but membrane, cytoplasm and nucleus share no
/// point. Figures are typical of adherent cells in culture.
struct CellsSpec {
  std::optional<std::int64_t> count = {};      ///< 0 ... 65535; absent: 0, or by density
  std::optional<double> density_per_mm3 = {};  ///< >= 0; only without `count`
  double count_spread = 0;  ///< of independent frames, relative to either number, 0 ... 1

  // The surface: see NucleiSpec
  double radius_um = 8;
  double radius_spread = 0.08;
  Point3 axis_ratios{0.4, 1.0, 1.3};
  Orientation orientation = Orientation::flat;
  double roughness = 0.05;
  std::int64_t degree = 5;
  double gap_um = 0.5;  ///< >= 0; filopodia reach beyond it
  BorderRule border = BorderRule::inside;
  double clustering = 0;
  std::optional<double> cluster_width_um = {};

  double intensity_spread = 0;            ///< of ln(light) between cells, 0 ... 2
  double intensity_size_correlation = 0;  ///< of ln(light) with the size, -1 ... 1
  double uneven_stain = 0;  ///< within one, 0 ... 1; of membrane, cytoplasm and nucleus

  double membrane_um = 0.1;  ///< thickness, > 0; a real one of 7 nm looks as thick when stained
  double membrane_photons_per_um3 = 3000;
  double cytoplasm_photons_per_um3 = 200;
  double cytoplasm_contrast = 0.2;  ///< of its texture, 0 ... 1

  double nucleus_radius_um = 4;               ///< of a cell of mean size, >= 0; 0: none
  Point3 nucleus_axis_ratios{0.6, 1.0, 1.2};  ///< along the axes of the cell
  double nucleus_photons_per_um3 = 1000;
  double nucleus_contrast = 0.6;  ///< of its chromatin, 0 ... 1
  std::int64_t nucleoli = 2;      ///< 0 ... 8

  std::int64_t mitochondria = 0;         ///< tubes in a cell, 0 ... 1000; they branch
  double mitochondria_length_um = 6;     ///< mean of a tube, > 0; without its branches
  double mitochondria_radius_um = 0.2;   ///< > 0
  double mitochondria_branching = 0.15;  ///< branches per micrometre, 0 ... 1
  double mitochondria_photons_per_um3 = 20000;

  std::int64_t microtubules = 0;           ///< in a cell, 0 ... 2000
  double microtubule_persistence_um = 20;  ///< > 0, length over which directions are forgotten
  double microtubule_photons_per_um = 800;

  std::int64_t actin_fibres = 0;  ///< bundles in a cell, 0 ... 1000
  double actin_radius_um = 0.08;  ///< > 0
  double actin_photons_per_um = 1500;

  std::int64_t vesicles = 0;        ///< in a cell, 0 ... 5000
  double vesicle_radius_um = 0.15;  ///< > 0
  double vesicle_photons_per_um3 = 30000;

  std::int64_t spots = 0;  ///< in a cell, 0 ... 5000
  SpotPlace spots_in = SpotPlace::cytoplasm;
  double spot_radius_um = 0.03;  ///< > 0
  double spot_photons = 3000;    ///< of one spot

  std::int64_t filopodia = 0;         ///< of a cell, 0 ... 500
  double filopodium_length_um = 3;    ///< mean, > 0
  double filopodium_radius_um = 0.1;  ///< where it leaves the cell, > 0
  double filopodium_photons_per_um3 = 3000;

  friend bool operator==(const CellsSpec&, const CellsSpec&) = default;
};

/// Returns the largest mean radius of a nucleus that fits into a cell of mean size.
double largest_nucleus_radius_um(const CellsSpec& spec);

/// Returns the number of cells on a grid.
std::int64_t number_of(const CellsSpec& spec, const Grid& grid);

/// Return the specs of the surfaces of cells, by which these are drawn and placed, and of the
/// nucleus of a cell of mean size.
NucleiSpec shells_of(const CellsSpec& spec);
NucleiSpec nuclei_of(const CellsSpec& spec);

/// Returns the largest numbers of strands and of their pieces in a cell.
StrandCount strands_of_cell(const CellsSpec& spec);

/// @throws InvalidSpec  a value is outside its range; the message names key, value and range.
void require_valid(const CellsSpec& spec);

}  // namespace synthoscope::simulator
