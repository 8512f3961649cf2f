// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cell_light.hpp — how membrane, cytoplasm and nucleus of a cell glow in a
// voxel; compiled for host and devices.
#pragma once
#include <algorithm>
#include "simulator/phantom/nuclei/nucleus_light.hpp"

namespace synthoscope::simulator {

/// What all cells of a population share. Photons are per voxel that the structure fills.
struct CellFigures {
  double membrane_um = 0;
  double membrane_photons = 0, cytoplasm_photons = 0, nucleus_photons = 0;
  double cytoplasm_contrast = 0;
  StainFigures chromatin;
};

/// A view of a cell whose parts are owned elsewhere. Plain data.
struct CellShape {
  Vector3 centre{};
  Matrix3 turn{};                 ///< from the grid's axes to the cell's
  const Lobe* surface = nullptr;  ///< one lobe
  NucleusAtPitch nucleus;         ///< no nucleus if without lobes
};

/// Returns the photons that membrane, cytoplasm and nucleus add to a voxel. `chromatin(p)` and
/// `cytoplasm(p)` give textures in (-1, 1) at a point of the own frame of nucleus and cell.
template <class Chromatin, class Cytoplasm>
double light_of_cell(const CellFigures& figures, const CellShape& cell, const Vector3& centre,
                     const Vector3& pitch, Chromatin&& chromatin, Cytoplasm&& cytoplasm) {
  const auto [all, below] =
      cell.surface->layer_shares(centre - cell.centre, pitch, figures.membrane_um);
  double sum = figures.membrane_photons * (all - below);
  if (below == 0) return sum;
  const double nucleus =
      cell.nucleus.shape.lobe_count > 0 ? cell.nucleus.coverage(centre, pitch) : 0;
  const double rest = std::max(0.0, below - nucleus);
  if (rest > 0 && figures.cytoplasm_photons > 0) {
    double density = 1;
    if (figures.cytoplasm_contrast > 0)
      density += figures.cytoplasm_contrast * cytoplasm(cell.turn * (centre - cell.centre));
    sum += rest * (figures.cytoplasm_photons * density);
  }
  if (nucleus > 0 && figures.nucleus_photons > 0)
    sum += nucleus * (figures.nucleus_photons *
                      stain_at(figures.chromatin, cell.nucleus.shape, centre, chromatin));
  return sum;
}

}  // namespace synthoscope::simulator
