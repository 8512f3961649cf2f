// SPDX-License-Identifier: MIT
// simulator/device/light.cuh — lights a phantom in stripes, counts its light row by row, and turns
// it into photons.
#pragma once
#include <algorithm>
#include <cmath>
#include "simulator/light/light_arguments.hpp"

namespace synthoscope::simulator::device {

/// Adds a whole number to a total of 128 bits, modulo 2^128.
inline void add_whole(unsigned long long (&total)[2], double whole) {
  const double size = std::abs(whole), upper = std::floor(size * 0x1p-64);
  unsigned long long high = static_cast<unsigned long long>(upper);
  unsigned long long low = static_cast<unsigned long long>(size - upper * 0x1p64);
  if (whole < 0) {
    high = ~high + (low == 0);
    low = ~low + 1;
  }
  const unsigned long long before = atomicAdd(&total[0], low);
  atomicAdd(&total[1], high + (before + low < before));
}

/// Sums each row from its first column on, in the order of the host: one lane per row, with rows
/// loaded by all warps.
__global__ void __launch_bounds__(32 * kSumWarps) sum_rows(const RowSums a) {
  __shared__ float tile[kSumRows][33];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kSumRows;
  double sum = 0;
  for (std::int64_t done = 0; done < a.count; done += 32) {
    for (int row = warp; row < kSumRows; row += kSumWarps)
      if (first + row < a.rows && done + lane < a.count)
        tile[row][lane] = a.voxels[(a.first_row + first + row) * a.columns + a.begin + done + lane];
    __syncthreads();
    const int there = static_cast<int>(std::min<std::int64_t>(32, a.count - done));
    if (warp == 0)
      for (int i = 0; i < there; ++i) sum += static_cast<double>(tile[lane][i]);
    __syncthreads();
  }
  if (warp != 0 || first + lane >= a.rows || !(std::abs(sum) < a.most)) return;
  PlaneSum& plane = a.planes[(a.first_row + first + lane) / a.rows_of_plane];
  add_whole(plane.sum, ::rint(sum * a.resolution));
  add_whole(plane.size, std::ceil(std::abs(sum)));
  atomicAdd(&plane.voxels, static_cast<unsigned long long>(a.count));
}

__global__ void __launch_bounds__(kPhotonThreads) weigh(const LightWeights a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kPhotonThreads + threadIdx.x;
  if (i >= a.planes * a.rows * a.columns) return;
  const std::int64_t row = i / a.columns, x = i - row * a.columns;
  const double of_plane = a.z ? a.z[a.first_z + row / a.rows] : 1,
               of_row = a.y ? a.y[a.first_y + row % a.rows] : 1,
               of_column = a.x ? a.x[a.first_x + x] : 1;
  a.voxels[i] =
      static_cast<float>(static_cast<double>(a.voxels[i]) * (of_plane * (of_row * of_column)));
}

__global__ void __launch_bounds__(kPhotonThreads) finish_photons(const PhotonsFinish a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kPhotonThreads + threadIdx.x;
  if (i >= a.planes * a.rows * a.columns) return;
  const std::int64_t row = i / a.columns, x = i - row * a.columns;
  const double sum = std::max(static_cast<double>(a.in[i]), 0.0) +
                     a.background.at(a.z + row / a.rows, a.y + row % a.rows, a.x + x);
  const double lit =
      a.illumination ? sum * a.illumination[(a.y + row % a.rows) * a.width + a.x + x] : sum;
  a.out[i] = static_cast<float>(lit);
}

__global__ void __launch_bounds__(kPhotonThreads) light_in_stripes(const StripedLight a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kPhotonThreads + threadIdx.x;
  if (i >= a.planes * a.rows * a.columns) return;
  const std::int64_t row = i / a.columns, x = i - row * a.columns;
  a.light[i] = a.stripes.lit(a.light[i], a.y + row % a.rows, a.x + x);
}

}  // namespace synthoscope::simulator::device
