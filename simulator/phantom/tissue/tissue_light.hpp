// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/tissue_light.hpp — light of membrane and cytoplasm of a tissue's cell;
// compiled for host and devices.
#pragma once
#include <algorithm>
#include "simulator/phantom/geometry/half_space.hpp"

namespace synthoscope::simulator {

/// The stain of all cells of a tissue.
struct TissueStain {
  double membrane_um = 0;
  double membrane_photons = 0, cytoplasm_photons = 0;  ///< of a voxel that it fills
};

/// Returns the light of a cell in a voxel without its nucleus, which covers the part `nucleus` of
/// the voxel. The membrane is the layer of its thickness below the sides.
inline double light_around_nucleus(ConvexShape cell, const TissueStain& stain, double nucleus,
                                   const Vector3& centre, const Vector3& pitch) {
  const double whole = cell.share(centre, pitch);
  if (whole == 0) return 0;
  cell.inset = stain.membrane_um;
  const double within = stain.membrane_um > 0 ? std::min(whole, cell.share(centre, pitch)) : whole;
  return stain.membrane_photons * (whole - within) +
         stain.cytoplasm_photons * std::max(0.0, within - nucleus);
}

}  // namespace synthoscope::simulator
