// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/height_map.hpp — how high a flat cell is above the cover glass, and
// the part of a voxel below that height; compiled for host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// Heights at the nodes of a square lattice, bilinear between them. A cell is where they are above
/// 0; elsewhere they are the slope of the rim times the distance from it, below 0. Plain data; the
/// array is owned elsewhere.
struct HeightMap {
  const float* values = nullptr;  ///< um, rows x columns
  int rows = 0, columns = 0;
  double y_um = 0, x_um = 0;  ///< of the first node
  double step_um = 1;         ///< between nodes
  double peak = 0;            ///< the largest height
  double steepest = 0;        ///< bound of its slope

  [[nodiscard]] double node(int row, int column) const {
    return static_cast<double>(values[row * columns + column]);
  }

  /// Returns the height at a place; -1 beyond the lattice.
  [[nodiscard]] double at(double y, double x) const {
    const double v = (y - y_um) / step_um, u = (x - x_um) / step_um;
    const double row = std::floor(v), column = std::floor(u);
    if (!(row >= 0 && column >= 0 && row < rows - 1 && column < columns - 1)) return -1;
    const int i = static_cast<int>(row), j = static_cast<int>(column);
    const double b = u - column;
    const double low = node(i, j) + b * (node(i, j + 1) - node(i, j));
    const double high = node(i + 1, j) + b * (node(i + 1, j + 1) - node(i + 1, j));
    return low + (v - row) * (high - low);
  }

  /// Returns the part of a voxel between the glass and the height, in [0, 1]. Along z it is exact;
  /// across, it is the mean of equal parts, at most half a step wide and at least 2 x 2, at most 8
  /// x
  /// 8. @param middle_um  of the voxel, above the glass
  [[nodiscard]] double share(double middle_um, const Vector3& centre, const Vector3& pitch) const {
    const double low = std::max(0.0, middle_um - pitch[0] / 2), high = middle_um + pitch[0] / 2;
    if (high <= 0 || low >= peak) return 0;
    const double height = at(centre[1], centre[2]);
    const double reach = steepest * (std::sqrt(pitch[1] * pitch[1] + pitch[2] * pitch[2]) / 2);
    if (height + reach <= low) return 0;
    if (height - reach >= high) return (high - low) / pitch[0];
    const auto parts_of = [&](double edge) {
      return static_cast<int>(std::min(8.0, std::max(2.0, std::ceil(2 * edge / step_um))));
    };
    const int rows_of = parts_of(pitch[1]), columns_of = parts_of(pitch[2]);
    double sum = 0;
    for (int i = 0; i < rows_of; ++i)
      for (int j = 0; j < columns_of; ++j) {
        const double top = at(centre[1] + middle_of_part(i, rows_of) * pitch[1],
                              centre[2] + middle_of_part(j, columns_of) * pitch[2]);
        sum += std::max(0.0, std::min(high, top) - low);
      }
    return sum / (rows_of * columns_of * pitch[0]);
  }
};

}  // namespace synthoscope::simulator
