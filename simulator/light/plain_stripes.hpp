// SPDX-License-Identifier: MIT
// simulator/light/plain_stripes.hpp — how brightly stripes light a voxel; compiled for host and
// devices.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// A factor of the light in column x of row y:
///
///     mean + contrast cos(a(y) + b(x))
///
/// from tables for rows and for columns, so that a voxel needs only + - * and no library. The
/// caller keeps the arrays alive.
struct PlainStripes {
  double mean = 1;
  const double* row_cosine = nullptr;  ///< contrast times cos(a(y))
  const double* row_sine = nullptr;
  const double* column_cosine = nullptr;
  const double* column_sine = nullptr;

  [[nodiscard]] float lit(float light, std::int64_t y, std::int64_t x) const {
    const double stripes = row_cosine[y] * column_cosine[x] - row_sine[y] * column_sine[x];
    return static_cast<float>(static_cast<double>(light) * (mean + stripes));
  }
};

}  // namespace synthoscope::simulator
