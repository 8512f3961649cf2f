// SPDX-License-Identifier: MIT
// kernels/correlate/correlation.hpp — correlation and convolution with a kernel, by direct sums.
#pragma once
#include <memory>
#include "kernels/correlate/stencil.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels {

/// Makes each voxel by the definition, in double: slow; the others are tested against it.
/// @throws InvalidSpec  as require_usable, or the image has no voxels.
std::unique_ptr<TiledOperation> make_plain_correlation(const NeighbourhoodSetting& setting,
                                                       Stencil stencil);

/// Makes direct sums over tiles in cache, several rows and vectors of results at a time in
/// registers.
///
/// @accuracy  Products and sums are float32: at most 64 products are summed consecutively, then
///            their sums; within 1e-6 of sum |weights| times the largest voxel around (tests).
/// @throws InvalidSpec  as require_usable, or the image has no voxels.
std::unique_ptr<TiledOperation> make_direct_correlation(const NeighbourhoodSetting& setting,
                                                        const Stencil& stencil);

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
