// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cells_keys.hpp — the keys of [cells]: what cells are and what is in them.
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/cells/cells_spec.hpp"
#include "simulator/phantom/kind/intensity_keys.hpp"
#include "simulator/phantom/nuclei/nuclei_keys.hpp"

namespace synthoscope::simulator {

/// Lists keys of [cells]: the surface, and where cells lie.
template <class Rows>
void list_surface_keys(Rows& rows) {
  list_shape_keys(rows, "cell", "0, unless density_per_mm3 is given", Range{0.1, 1000});
  rows.add("gap_um", "um", Range{0, kHuge},
           "smallest distance between two cells without their filopodia, and between a cell and a "
           "nucleus of [nuclei] unless nuclei.gap_um is larger",
           &CellsSpec::gap_um);
  rows.add("border", "", kAny,
           "inside: every cell except its filopodia lies entirely in the grid; cut: only its "
           "middle must lie in the grid",
           &CellsSpec::border);
  list_cluster_keys(rows, "cell", "cells");
  list_intensity_keys(rows, "cells");
}

/// Lists keys of [cells]: membrane, cytoplasm and nucleus.
template <class Rows>
void list_core_keys(Rows& rows) {
  constexpr std::string_view kPerUm3 = "photons per um^3 and exposure";
  const Range bright{0, 1e12};
  rows.add("membrane_um", "um", Range{0.001, kHuge},
           "thickness of the membrane and its stain, a layer under the surface",
           &CellsSpec::membrane_um);
  rows.add("membrane_photons_per_um3", kPerUm3, bright, "light of the membrane; 0: not stained",
           &CellsSpec::membrane_photons_per_um3);
  rows.add("cytoplasm_photons_per_um3", kPerUm3, bright,
           "light of the cytoplasm, outside membrane and nucleus; light of organelles is added",
           &CellsSpec::cytoplasm_photons_per_um3);
  rows.add("cytoplasm_contrast", "", Range{0, 1},
           "largest relative deviation of the cytoplasm's light from its mean; 0 is uniform",
           &CellsSpec::cytoplasm_contrast);
  rows.add(
      "nucleus_radius_um", "um", Range{0, kHuge},
      "radius of the sphere with the volume of the nucleus, in a cell of mean size; smaller if it "
      "would not fit; 0: none",
      &CellsSpec::nucleus_radius_um);
  rows.add("nucleus_axis_ratios", "", Range{0.1, 10},
           "semi-axes of the nucleus along those of the cell, up to a common factor",
           &CellsSpec::nucleus_axis_ratios);
  rows.add("nucleus_photons_per_um3", kPerUm3, bright, "light of the nucleus; 0: not stained",
           &CellsSpec::nucleus_photons_per_um3);
  rows.add("nucleus_contrast", "", Range{0, 1},
           "largest relative deviation of its chromatin from the mean, as nuclei.texture_contrast",
           &CellsSpec::nucleus_contrast);
  rows.add("nucleoli", "", Range{0, 8}, "number of weakly stained bodies in each nucleus",
           &CellsSpec::nucleoli);
}

/// Lists keys of [cells]: organelles and filopodia.
template <class Rows>
void list_organelle_keys(Rows& rows) {
  constexpr std::string_view kPerUm3 = "photons per um^3 and exposure";
  constexpr std::string_view kPerUm = "photons per um and exposure";
  const Range bright{0, 1e12};
  rows.add("mitochondria", "", Range{0, 1000},
           "number of tubes in each cell, more of them near the nucleus; they branch",
           &CellsSpec::mitochondria);
  rows.add("mitochondria_length_um", "um", Range{0.3, 100},
           "mean length of a tube without its branches; lengths are half to three halves of it",
           &CellsSpec::mitochondria_length_um);
  rows.add("mitochondria_radius_um", "um", Range{0.01, 10},
           "mean radius; it varies by 15 % along a tube", &CellsSpec::mitochondria_radius_um);
  rows.add("mitochondria_branching", "per um", Range{0, 1},
           "number of branches per length of a tube, at most six in all",
           &CellsSpec::mitochondria_branching);
  rows.add("mitochondria_photons_per_um3", kPerUm3, bright, "light of the tubes; 0: not stained",
           &CellsSpec::mitochondria_photons_per_um3);
  rows.add("microtubules", "", Range{0, 2000},
           "number of filaments of 25 nm in each cell, from a centrosome next to the nucleus",
           &CellsSpec::microtubules);
  rows.add("microtubule_persistence_um", "um", Range{1, 1e4},
           "persistence length: the length over which a filament forgets its direction",
           &CellsSpec::microtubule_persistence_um);
  rows.add("microtubule_photons_per_um", kPerUm, bright, "light of a filament; 0: not stained",
           &CellsSpec::microtubule_photons_per_um);
  rows.add(
      "actin_fibres", "", Range{0, 1000},
      "number of bundles in each cell: two of three are stress fibres at its lower side, the third "
      "runs under the membrane",
      &CellsSpec::actin_fibres);
  rows.add("actin_radius_um", "um", Range{0.003, 10}, "radius of a bundle",
           &CellsSpec::actin_radius_um);
  rows.add("actin_photons_per_um", kPerUm, bright, "light of a bundle; 0: not stained",
           &CellsSpec::actin_photons_per_um);
  rows.add("vesicles", "", Range{0, 5000}, "number of balls in the cytoplasm of each cell",
           &CellsSpec::vesicles);
  rows.add("vesicle_radius_um", "um", Range{0.005, 10}, "radius of a vesicle",
           &CellsSpec::vesicle_radius_um);
  rows.add("vesicle_photons_per_um3", kPerUm3, bright, "light of the balls; 0: not stained",
           &CellsSpec::vesicle_photons_per_um3);
  rows.add(
      "spots", "", Range{0, 5000},
      "number of small balls in each cell, such as RNA molecules in FISH; spots.csv lists them",
      &CellsSpec::spots);
  rows.add("spots_in", "", kAny, "where spots lie", &CellsSpec::spots_in);
  rows.add("spot_radius_um", "um", Range{0.001, 10}, "radius of a spot",
           &CellsSpec::spot_radius_um);
  rows.add("spot_photons", "photons per exposure", bright,
           "expected photons from a spot, added up over the pixels of the plane in focus",
           &CellsSpec::spot_photons);
  rows.add(
      "filopodia", "", Range{0, 500},
      "number of fingers of each cell, which belong to its label and volume; they end before they "
      "touch other cells or nuclei",
      &CellsSpec::filopodia);
  rows.add("filopodium_length_um", "um", Range{0.1, 100},
           "mean length; lengths are half to three halves of it", &CellsSpec::filopodium_length_um);
  rows.add("filopodium_radius_um", "um", Range{0.005, 10},
           "radius where it leaves the cell; 0.4 of it at the tip",
           &CellsSpec::filopodium_radius_um);
  rows.add("filopodium_photons_per_um3", kPerUm3, bright, "light of the fingers; 0: not stained",
           &CellsSpec::filopodium_photons_per_um3);
}

template <class Rows>
void list_cells_keys(Rows& rows) {
  list_surface_keys(rows);
  list_core_keys(rows);
  list_organelle_keys(rows);
}

}  // namespace synthoscope::simulator
