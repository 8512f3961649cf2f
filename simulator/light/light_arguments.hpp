// SPDX-License-Identifier: MIT
// simulator/light/light_arguments.hpp — arguments of the kernels that count and finish light. Host
// and device compile this file.
#pragma once
#include <cstdint>
#include "simulator/light/plain_background.hpp"
#include "simulator/light/plain_stripes.hpp"

namespace synthoscope::simulator::device {

/// The ledger's sums of one plane, in a form that many threads add to: 128 bits, the low half
/// first.
struct PlaneSum {
  unsigned long long sum[2] = {}, size[2] = {};
  unsigned long long voxels = 0;
};

/// Rows of a box of contiguous float32 voxels, of which some columns are counted, one row at a
/// time, as LightLedger documents.
struct RowSums {
  const float* voxels = nullptr;
  std::int64_t columns = 0;              ///< of the box
  std::int64_t first_row = 0, rows = 0;  ///< of the box, numbered through its planes
  std::int64_t begin = 0, count = 0;     ///< columns that are counted
  std::int64_t rows_of_plane = 1;
  double resolution = 1, most = 0;  ///< the ledger's
  PlaneSum* planes = nullptr;       ///< from the box's first plane on
};

/// Contiguous float32 voxels of a box that are multiplied by z[z] * (y[y] * x[x]), by position in
/// the volume; an axis without weights is null and counts 1.
struct LightWeights {
  float* voxels = nullptr;
  std::int64_t planes = 0, rows = 0, columns = 0;
  std::int64_t first_z = 0, first_y = 0, first_x = 0;  ///< of the box
  const double* z = nullptr;
  const double* y = nullptr;
  const double* x = nullptr;
};

/// ExpectedPhotons of a contiguous box; `out` may be `in`.
struct PhotonsFinish {
  const float* in = nullptr;
  float* out = nullptr;
  std::int64_t planes = 0, rows = 0, columns = 0;
  std::int64_t z = 0, y = 0, x = 0;  ///< of the first voxel
  PlainBackground background;
  const double* illumination = nullptr;  ///< [y, x] of the field; null if it is even
  std::int64_t width = 0;                ///< of the field
};

/// Light of a contiguous box, lit in stripes in place.
struct StripedLight {
  float* light = nullptr;
  std::int64_t planes = 0, rows = 0, columns = 0;
  std::int64_t y = 0, x = 0;  ///< of the first voxel
  PlainStripes stripes;
};

inline constexpr int kSumRows = 32, kSumWarps = 8, kPhotonThreads = 256;

}  // namespace synthoscope::simulator::device
