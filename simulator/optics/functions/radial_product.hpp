// SPDX-License-Identifier: MIT
// simulator/optics/functions/radial_product.hpp — the matrix product that computes a table of radii
// and planes, and sums of complex tables between radii.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Rows and columns that one call of multiply_tile computes.
inline constexpr std::int64_t kTileRows = 8, kTileColumns = 8;

/// Computes sums[r * stride + c] = sum over n of left[n * kTileRows + r] * right[n * kTileColumns +
/// c], in ascending n: the same bits on every processor.
void multiply_tile(const double* left, const double* right, std::int64_t nodes, double* sums,
                   std::int64_t stride);

/// Six rows of a table: their offsets from its first row, and their weights.
struct SixRows {
  std::int64_t offset[6] = {};
  double weight[6] = {};
};

/// Computes the sum of `count` tables, `stride` values apart: of each, six weighted rows times
/// factors[table]. A row is kTileColumns real parts and as many imaginary ones, and so is `sum`.
/// The same bits on every processor.
void sum_rows(const double* table, std::int64_t stride, const SixRows& rows, const double* factors,
              std::int64_t count, double* sum);

}  // namespace synthoscope::simulator
