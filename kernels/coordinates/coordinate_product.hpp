// SPDX-License-Identifier: MIT
// kernels/coordinates/coordinate_product.hpp — ways to multiply the matrix of an affine map and the
// coordinates of many pixels, kept for the comparison.
#pragma once
#include <optional>
#include <string_view>

namespace synthoscope::kernels {

/// How a device computes the source coordinates of pixels, S (2xN) = A (2x3) G (3xN) with a column
/// (y, x, 1) of G for each pixel:
///   fused  without matrices: each pixel computes its coordinates where they are used
///   naive  a thread for each element of S
///   tiled  a block of threads for each tile of S, through shared memory
///   summa  a pixel for each block of S, as a sum of outer products of columns of A and rows of G
/// @source  van de Geijn, Watts, SUMMA: scalable universal matrix multiplication algorithm,
///          Concurrency: Pract. Exper. 9 (1997) 255.
enum class CoordinateProduct { fused, naive, tiled, summa };

std::string_view name_of(CoordinateProduct product);
std::optional<CoordinateProduct> coordinate_product_named(std::string_view name);

}  // namespace synthoscope::kernels
