// SPDX-License-Identifier: MIT
// kernels/correlate/product.hpp — recognises a kernel that is a product of weights along its axes.
#pragma once
#include <optional>
#include "kernels/correlate/stencil.hpp"

namespace synthoscope::kernels {

/// Most that a product may differ from a kernel, as sum of magnitudes relative to sum |weights|:
/// what a kernel loses when it is stored in float32. Results lose at most this share of sum
/// |weights| times the largest voxel.
inline constexpr double kProductTolerance = 3e-7;

/// Returns `stencil` as a product of weights along z, y and x; nothing if it is not one. Fits one
/// axis after the other by least squares, beginning with the lines through the largest weight. An
/// axis of one weight has {1} if another axis is longer.
/// @throws InvalidSpec  as require_usable.
std::optional<SeparableStencil> as_product(const Stencil& stencil);

}  // namespace synthoscope::kernels
