// SPDX-License-Identifier: MIT
// simulator/optics/radial_product.hpp — the matrix product behind a table of radii and planes, and
// sums of complex tables between radii.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Rows and columns that one call of multiply_tile makes.
inline constexpr std::int64_t kTileRows = 8, kTileColumns = 8;

/// sums[r * stride + c] = sum over n of left[n * kTileRows + r] * right[n * kTileColumns + c], in
/// ascending n: the same bits on every processor.
void multiply_tile(const double* left, const double* right, std::int64_t nodes, double* sums,
                   std::int64_t stride);

/// Six rows of a table, by how far they lie from its first, and two sets of weights.
struct SixRows {
  std::int64_t offset[6] = {};
  double even[6] = {}, odd[6] = {};
};

/// How a table counts: its six rows by one of the sets, then turned by the angle.
struct TurnedRows {
  double cosine, sine;
  const double* weights;
};

/// Sum of `count` tables, `stride` values apart, each as `turned` says. A row is kTileColumns real
/// parts and as many imaginary ones, and so is `sum`. The same bits on every processor.
void sum_turned_rows(const double* table, std::int64_t stride, const SixRows& rows,
                     const TurnedRows* turned, std::int64_t count, double* sum);

}  // namespace synthoscope::simulator
