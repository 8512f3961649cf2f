// SPDX-License-Identifier: MIT
// simulator/scene/cells_keys.cpp — the keys of a scene that say what cells are and what is in them.
#include "simulator/scene/population_keys.hpp"

namespace synthoscope::simulator {
namespace {

/// Adds keys of [cells]: the surface, and where cells lie.
void add_surface_keys(std::vector<SceneKey>& keys) {
  const PopulationKeys cells{keys, "cells", "cell", "cells", SYNTHOSCOPE_MEMBER(cells)};
  cells.add_shape("0, or by density_per_mm3", Range{0.1, 1000});
  cells.add("gap_um", "um", Range{0, kHuge},
            "smallest distance between two cells without their filopodia, and between a cell and a "
            "nucleus of [nuclei] unless nuclei.gap_um is larger",
            SYNTHOSCOPE_MEMBER(gap_um));
  cells.add("border", "", kAny,
            "inside: every cell except its filopodia lies entirely in the grid; cut: only its "
            "middle must lie in the grid",
            SYNTHOSCOPE_MEMBER(border));
  cells.add_clusters();
}

/// Adds keys of [cells]: membrane, cytoplasm and nucleus.
void add_cell_core_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  constexpr std::string_view kPerUm3 = "photons per um^3 and exposure";
  const Range bright{0, 1e12};
  add("cells.membrane_um", "um", Range{0.001, kHuge},
      "thickness of the membrane and its stain, a layer under the surface",
      SYNTHOSCOPE_MEMBER(cells.membrane_um));
  add("cells.membrane_photons_per_um3", kPerUm3, bright, "light of the membrane; 0: not stained",
      SYNTHOSCOPE_MEMBER(cells.membrane_photons_per_um3));
  add("cells.cytoplasm_photons_per_um3", kPerUm3, bright,
      "light of the cytoplasm, outside membrane and nucleus; light of organelles is added",
      SYNTHOSCOPE_MEMBER(cells.cytoplasm_photons_per_um3));
  add("cells.cytoplasm_contrast", "", Range{0, 1},
      "largest relative deviation of the cytoplasm's light from its mean; 0 is uniform",
      SYNTHOSCOPE_MEMBER(cells.cytoplasm_contrast));
  add("cells.nucleus_radius_um", "um", Range{0, kHuge},
      "radius of the sphere with the volume of the nucleus, in a cell of mean size; smaller if it "
      "would not fit; 0: none",
      SYNTHOSCOPE_MEMBER(cells.nucleus_radius_um));
  add("cells.nucleus_axis_ratios", "", Range{0.1, 10},
      "semi-axes of the nucleus along those of the cell, up to a common factor",
      SYNTHOSCOPE_MEMBER(cells.nucleus_axis_ratios));
  add("cells.nucleus_photons_per_um3", kPerUm3, bright, "light of the nucleus; 0: not stained",
      SYNTHOSCOPE_MEMBER(cells.nucleus_photons_per_um3));
  add("cells.nucleus_contrast", "", Range{0, 1},
      "largest relative deviation of its chromatin from the mean, as nuclei.texture_contrast",
      SYNTHOSCOPE_MEMBER(cells.nucleus_contrast));
  add("cells.nucleoli", "", Range{0, 8}, "number of weakly stained bodies in each nucleus",
      SYNTHOSCOPE_MEMBER(cells.nucleoli));
}

/// Adds keys of [cells]: organelles and filopodia.
void add_organelle_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  constexpr std::string_view kPerUm3 = "photons per um^3 and exposure";
  constexpr std::string_view kPerUm = "photons per um and exposure";
  const Range bright{0, 1e12};
  add("cells.mitochondria", "", Range{0, 1000},
      "number of tubes in each cell, more of them near the nucleus; they branch",
      SYNTHOSCOPE_MEMBER(cells.mitochondria));
  add("cells.mitochondria_length_um", "um", Range{0.3, 100},
      "mean length of a tube without its branches; lengths are half to three halves of it",
      SYNTHOSCOPE_MEMBER(cells.mitochondria_length_um));
  add("cells.mitochondria_radius_um", "um", Range{0.01, 10},
      "mean radius; it varies by 15 % along a tube",
      SYNTHOSCOPE_MEMBER(cells.mitochondria_radius_um));
  add("cells.mitochondria_branching", "per um", Range{0, 1},
      "number of branches per length of a tube, at most six in all",
      SYNTHOSCOPE_MEMBER(cells.mitochondria_branching));
  add("cells.mitochondria_photons_per_um3", kPerUm3, bright, "light of the tubes; 0: not stained",
      SYNTHOSCOPE_MEMBER(cells.mitochondria_photons_per_um3));
  add("cells.microtubules", "", Range{0, 2000},
      "number of filaments of 25 nm in each cell, from a centrosome beside the nucleus",
      SYNTHOSCOPE_MEMBER(cells.microtubules));
  add("cells.microtubule_persistence_um", "um", Range{1, 1e4},
      "persistence length: the length over which a filament forgets its direction",
      SYNTHOSCOPE_MEMBER(cells.microtubule_persistence_um));
  add("cells.microtubule_photons_per_um", kPerUm, bright, "light of a filament; 0: not stained",
      SYNTHOSCOPE_MEMBER(cells.microtubule_photons_per_um));
  add("cells.actin_fibres", "", Range{0, 1000},
      "number of bundles in each cell: two of three are stress fibres at its lower side, the third "
      "runs under the membrane",
      SYNTHOSCOPE_MEMBER(cells.actin_fibres));
  add("cells.actin_radius_um", "um", Range{0.003, 10}, "radius of a bundle",
      SYNTHOSCOPE_MEMBER(cells.actin_radius_um));
  add("cells.actin_photons_per_um", kPerUm, bright, "light of a bundle; 0: not stained",
      SYNTHOSCOPE_MEMBER(cells.actin_photons_per_um));
  add("cells.vesicles", "", Range{0, 5000}, "number of balls in the cytoplasm of each cell",
      SYNTHOSCOPE_MEMBER(cells.vesicles));
  add("cells.vesicle_radius_um", "um", Range{0.005, 10}, "radius of a vesicle",
      SYNTHOSCOPE_MEMBER(cells.vesicle_radius_um));
  add("cells.vesicle_photons_per_um3", kPerUm3, bright, "light of the balls; 0: not stained",
      SYNTHOSCOPE_MEMBER(cells.vesicle_photons_per_um3));
  add("cells.spots", "", Range{0, 5000},
      "number of small balls in each cell, such as RNA molecules in FISH; spots.csv lists them",
      SYNTHOSCOPE_MEMBER(cells.spots));
  add("cells.spots_in", "", kAny, "where spots lie", SYNTHOSCOPE_MEMBER(cells.spots_in));
  add("cells.spot_radius_um", "um", Range{0.001, 10}, "radius of a spot",
      SYNTHOSCOPE_MEMBER(cells.spot_radius_um));
  add("cells.spot_photons", "photons per exposure", bright,
      "light of a spot if all of it fell on one plane", SYNTHOSCOPE_MEMBER(cells.spot_photons));
  add("cells.filopodia", "", Range{0, 500},
      "number of fingers of each cell, which belong to its label and volume; they end before they "
      "touch other cells or nuclei",
      SYNTHOSCOPE_MEMBER(cells.filopodia));
  add("cells.filopodium_length_um", "um", Range{0.1, 100},
      "mean length; lengths are half to three halves of it",
      SYNTHOSCOPE_MEMBER(cells.filopodium_length_um));
  add("cells.filopodium_radius_um", "um", Range{0.005, 10},
      "radius where it leaves the cell; 0.4 of it at the tip",
      SYNTHOSCOPE_MEMBER(cells.filopodium_radius_um));
  add("cells.filopodium_photons_per_um3", kPerUm3, bright, "light of the fingers; 0: not stained",
      SYNTHOSCOPE_MEMBER(cells.filopodium_photons_per_um3));
}

}  // namespace

void add_cells_keys(std::vector<SceneKey>& keys) {
  add_surface_keys(keys);
  add_cell_core_keys(keys);
  add_organelle_keys(keys);
}

}  // namespace synthoscope::simulator
