// SPDX-License-Identifier: MIT
// kernels/correlate/separable_correlation.hpp — correlation with products of weights along the
// axes.
#pragma once
#include <memory>
#include "kernels/correlate/stencil.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels {

/// Makes passes across planes, rows and columns of tiles in cache; a ring holds the planes that the
/// pass along z needs. Weights that mirror each other are folded along x. Boxes are summed in two
/// steps; boxes in planes of integers of at most 16 bits are summed exactly if their sums fit into
/// 32 bits.
///
/// @accuracy  Products and sums are float32: at most 128 products are summed consecutively, then
///            their sums; within 1e-6 of sum |weights| times the largest voxel around (tests).
/// @throws InvalidSpec  as require_usable, or the image has no voxels.
std::unique_ptr<TiledOperation> make_separable_correlation(const NeighbourhoodSetting& setting,
                                                           const SeparableStencil& stencil);

}  // namespace synthoscope::kernels
