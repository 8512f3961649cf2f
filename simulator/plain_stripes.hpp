// SPDX-License-Identifier: MIT
// simulator/plain_stripes.hpp — how brightly stripes light a voxel; read by the compiler of the
// host and by that of devices.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// A factor of the light in column x of row y:
///
///     mean + contrast cos(a(y) + b(x))
///
/// of what is known of rows and columns alone, so that a voxel takes + - * and no library. Somebody
/// else keeps the arrays.
struct PlainStripes {
  double mean = 1;
  const double* row_cosine = nullptr;  ///< contrast times that of a(y)
  const double* row_sine = nullptr;
  const double* column_cosine = nullptr;
  const double* column_sine = nullptr;

  [[nodiscard]] float lit(float light, std::int64_t y, std::int64_t x) const {
    const double stripes = row_cosine[y] * column_cosine[x] - row_sine[y] * column_sine[x];
    return static_cast<float>(static_cast<double>(light) * (mean + stripes));
  }
};

}  // namespace synthoscope::simulator
