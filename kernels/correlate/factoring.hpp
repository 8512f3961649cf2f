// SPDX-License-Identifier: MIT
// kernels/correlate/factoring.hpp — any kernel as a sum of products of weights along its axes.
#pragma once
#include "kernels/correlate/stencil.hpp"

namespace synthoscope::kernels {

/// What is left out of a kernel by default, as a share of sum |weights|: results lose at most this
/// share of that sum times the largest voxel, and stay within 2e-6 of the product.
inline constexpr double kFactorTolerance = 5e-7;

/// @throws InvalidSpec  it is outside [0, 1).
void require_tolerance(double tolerance);

/// Returns a sum of few products that equals `stencil` except for weights whose magnitudes add up
/// to at most `tolerance` times sum |weights|. Planes are separated from z by singular values, then
/// each plane by its own: in 3-D a tree of two levels (hierarchical Tucker), in 2-D the singular
/// value decomposition.
/// @param tolerance  in [0, 1); 0 keeps all that double precision distinguishes from 0.
/// @throws InvalidSpec  as require_usable and require_tolerance.
/// @source  One-sided Jacobi: Hestenes, J. SIAM 6(1), 51-90 (1958), doi:10.1137/0106005. Best
///          approximation by singular values: Eckart and Young, Psychometrika 1, 211-218 (1936),
///          doi:10.1007/BF02288367. Kernels: Perona, IEEE TPAMI 17(5), 488-499 (1995),
///          doi:10.1109/34.391394.
SeparableStencil as_sum_of_products(const Stencil& stencil, double tolerance = kFactorTolerance);

}  // namespace synthoscope::kernels
