// SPDX-License-Identifier: MIT
// simulator/light/plain_background.hpp — the background of a pixel; compiled for host and devices.
#pragma once
#include <cstdint>
#include "core/math/elementary.hpp"

namespace synthoscope::simulator {

/// A sum of plane waves on a grid:
///
///     sum over waves i of cos(a_i(z) + b_i(y) + c_i(x))
///
/// from tables of cosines and sines, so that a voxel needs only + - *. The caller keeps the arrays
/// alive.
struct PlainWaves {
  int count = 0;  ///< 0: no field
  std::int64_t planes = 0, rows = 0, columns = 0;
  const double* tables = nullptr;  ///< for z, then y, then x: cosines wave by wave, then sines

  static std::int64_t values(int count, std::int64_t planes, std::int64_t rows,
                             std::int64_t columns) {
    return 2 * count * (planes + rows + columns);
  }

  /// A wave along a row: amplitudes of its cosine and sine along x.
  struct OfRow {
    double cosine, sine;
  };
  [[nodiscard]] OfRow of_row(int i, std::int64_t z, std::int64_t y) const {
    const double* const along_z = tables;
    const double* const along_y = tables + 2 * count * planes;
    const double zc = along_z[i * planes + z], zs = along_z[(count + i) * planes + z];
    const double yc = along_y[i * rows + y], ys = along_y[(count + i) * rows + y];
    return {zc * yc - zs * ys, zs * yc + zc * ys};
  }
  [[nodiscard]] const double* cosines_x(int i) const {
    return tables + 2 * count * (planes + rows) + i * columns;
  }
  [[nodiscard]] const double* sines_x(int i) const {
    return tables + 2 * count * (planes + rows) + (count + i) * columns;
  }
  [[nodiscard]] double at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const auto [cosine, sine] = of_row(i, z, y);
      sum += cosine * cosines_x(i)[x] - sine * sines_x(i)[x];
    }
    return sum;
  }
};

/// A background that varies from pixel to pixel; see Background.
struct PlainBackground {
  double photons = 0;
  const double* down = nullptr;   ///< part of the gradient in a row; null: none
  const double* right = nullptr;  ///< and in a column
  PlainWaves field, grain;
  double log_mean = 0;  ///< of field and grain together

  [[nodiscard]] bool is_even() const { return !down && field.count == 0 && grain.count == 0; }

  /// Returns the background of a pixel in which field and grain add up to `waves`.
  [[nodiscard]] double with(double waves, std::int64_t y, std::int64_t x) const {
    const double slope = down ? 1 + (down[y] + right[x]) : 1;
    const double log = waves - log_mean;
    return photons * slope * portable::exp(log);
  }
  [[nodiscard]] double at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return is_even() ? photons : with(field.at(z, y, x) + grain.at(z, y, x), y, x);
  }
};

}  // namespace synthoscope::simulator
