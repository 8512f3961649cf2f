// SPDX-License-Identifier: MIT
// kernels/device/coordinates/coordinates_arguments.hpp — arguments of the kernels that multiply
// coordinates; host and device compile this file.
#pragma once
#include <cstdint>

namespace synthoscope::kernels::device {

/// Layout of a matrix of coordinates with one column a pixel: element (i, y, x) is at
/// i * row_step + y * line_step + x.
struct CoordinateSteps {
  std::int64_t row_step = 0, line_step = 0;
};

/// S = A G for the pixels of `lines` x `columns` from (y, x) on.
struct CoordinateProductArguments {
  double matrix[6] = {};      ///< A, two rows of three
  double* targets = nullptr;  ///< G, three rows: y, x, 1
  double* sources = nullptr;  ///< S, two rows: y, x
  CoordinateSteps steps;      ///< of G; `source_steps` are the steps of S
  CoordinateSteps source_steps;
  std::int64_t lines = 0, columns = 0;
  std::int64_t y = 0, x = 0;
};

inline constexpr int kCoordinateThreads = 256;

}  // namespace synthoscope::kernels::device
