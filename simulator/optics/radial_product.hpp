// SPDX-License-Identifier: MIT
// simulator/optics/radial_product.hpp — the matrix product behind a table of radii and planes.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Rows and columns that one call of multiply_tile makes.
inline constexpr std::int64_t kTileRows = 8, kTileColumns = 8;

/// sums[r * stride + c] = sum over n of left[n * kTileRows + r] * right[n * kTileColumns + c], in
/// ascending n: the same bits on every processor.
void multiply_tile(const double* left, const double* right, std::int64_t nodes, double* sums,
                   std::int64_t stride);

}  // namespace synthoscope::simulator
