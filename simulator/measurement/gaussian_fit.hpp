// SPDX-License-Identifier: MIT
// simulator/measurement/gaussian_fit.hpp — a Gaussian on a background, fitted to a bead.
#pragma once
#include <array>
#include <optional>
#include "core/stream/memory_stream.hpp"
#include "simulator/base/voxel_position.hpp"

namespace synthoscope::simulator {

/// background + amplitude * exp(-sum over axes of (distance / sigma)^2 / 2). Lengths are in voxels,
/// along z, y and x. In one plane sigma along z is 1 and has no effect.
struct FittedGaussian {
  double background = 0, amplitude = 0;
  VoxelPosition centre;
  std::array<double, 3> sigma{1, 1, 1};
};

/// Fits by least squares to the voxels around `start.centre` within `reach` sigma of `start`.
/// @returns nothing if the fit leaves these voxels, or does not converge to a positive bead.
/// @source Marquardt, J. SIAM 11 (1963) 431, by Eigen's port of MINPACK.
std::optional<FittedGaussian> fit_gaussian(const Volume<float>& voxels, const FittedGaussian& start,
                                           double reach = 3);

}  // namespace synthoscope::simulator
