// SPDX-License-Identifier: MIT
// simulator/device/light_arguments.hpp — what the kernels that count and finish light are told;
// read by the compiler of the host and by that of devices.
#pragma once
#include <cstdint>
#include "simulator/plain_stripes.hpp"

namespace synthoscope::simulator::device {

/// What the ledger of one plane keeps, as many threads add to it: 128 bits, the low half first.
struct PlaneSum {
  unsigned long long sum[2] = {}, size[2] = {};
  unsigned long long voxels = 0;
};

/// Rows of a box of float32 voxels without gaps, of which some columns are counted: LightLedger
/// says how, a row at a time.
struct RowSums {
  const float* voxels = nullptr;
  std::int64_t columns = 0;              ///< of the box
  std::int64_t first_row = 0, rows = 0;  ///< of the box, planes one behind the other
  std::int64_t begin = 0, count = 0;     ///< columns that are counted
  std::int64_t rows_of_plane = 1;
  double resolution = 1, most = 0;  ///< the ledger's
  PlaneSum* planes = nullptr;       ///< the first is the box's first
};

/// Float32 voxels of a box without gaps that are multiplied by z[z] * (y[y] * x[x]), of the volume;
/// an axis without weights is null and counts 1.
struct LightWeights {
  float* voxels = nullptr;
  std::int64_t planes = 0, rows = 0, columns = 0;
  std::int64_t first_z = 0, first_y = 0, first_x = 0;  ///< of the box
  const double* z = nullptr;
  const double* y = nullptr;
  const double* x = nullptr;
};

/// ExpectedPhotons of a box without gaps; `out` may be `in`.
struct PhotonsFinish {
  const float* in = nullptr;
  float* out = nullptr;
  std::int64_t planes = 0, rows = 0, columns = 0;
  std::int64_t y = 0, x = 0;  ///< of the first voxel
  double background = 0;
  const double* illumination = nullptr;  ///< [y, x] of the field; null where it is even
  std::int64_t width = 0;                ///< of the field
};

/// Light of a box without gaps, lit in stripes where it is.
struct StripedLight {
  float* light = nullptr;
  std::int64_t planes = 0, rows = 0, columns = 0;
  std::int64_t y = 0, x = 0;  ///< of the first voxel
  PlainStripes stripes;
};

inline constexpr int kSumRows = 32, kSumWarps = 8, kPhotonThreads = 256;

}  // namespace synthoscope::simulator::device
