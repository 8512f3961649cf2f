// SPDX-License-Identifier: MIT
// kernels/product.hpp — recognises a kernel that is a product of weights along its axes.
#pragma once
#include <optional>
#include "kernels/stencil.hpp"

namespace synthoscope::kernels {

/// What a product may leave of a kernel, both summed voxel by voxel without their signs: what a
/// kernel loses that is stored in float32. Results lose no more of sum |weights| times the largest
/// voxel.
inline constexpr double kProductTolerance = 3e-7;

/// The product of weights along z, y and x that `stencil` is; none where it is none.
/// Fits one axis after the other by least squares, beginning with the lines through the largest
/// weight. An axis of one weight, beside a longer one, has {1}.
/// @throws InvalidSpec  as require_usable.
std::optional<SeparableStencil> as_product(const Stencil& stencil);

}  // namespace synthoscope::kernels
