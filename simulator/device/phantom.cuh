// SPDX-License-Identifier: MIT
// simulator/device/phantom.cuh — renders light or labels of a phantom, one thread per voxel.
#pragma once
#include "simulator/phantom/flat/plain_phantom.hpp"
#include "simulator/phantom/geometry/ball.cpp"
#include "simulator/phantom/lobes/lobe_points.cpp"
#include "simulator/phantom/target/target_members.cpp"

namespace synthoscope::simulator {

namespace device {
constexpr int kFactorCount = sizeof(HarmonicFactors) / sizeof(double);
__shared__ double factors_of_block[kFactorCount];
}  // namespace device

const HarmonicFactors& harmonic_factors() {
  return *reinterpret_cast<const HarmonicFactors*>(device::factors_of_block);
}

namespace device {

/// Calls `voxel_at(z, y, x)` for the thread's voxel and stores the result.
template <int Kinds, class Voxel, class VoxelAt>
void render(const RenderArguments& a, VoxelAt&& voxel_at) {
  if (PlainBodies::have_lobes<Kinds>()) {
    const int thread = threadIdx.y * kRenderColumns + threadIdx.x;
    if (thread < kFactorCount)
      factors_of_block[thread] = reinterpret_cast<const double*>(a.factors)[thread];
    __syncthreads();
  }
  const std::int64_t z = blockIdx.z;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * kRenderRows + threadIdx.y;
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * kRenderColumns + threadIdx.x;
  if (y >= a.rows || x >= a.columns) return;
  static_cast<Voxel*>(a.out)[(z * a.rows + y) * a.columns + x] =
      voxel_at(a.z + z, a.y + y, a.x + x);
}

template <int Kinds>
__global__ void __launch_bounds__(kRenderColumns* kRenderRows)
    render_light(const RenderArguments a) {
  render<Kinds, float>(a, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return light_at<Kinds>(a.phantom, z, y, x);
  });
}

template <int Kinds>
__global__ void __launch_bounds__(kRenderColumns* kRenderRows)
    render_labels(const RenderArguments a) {
  render<Kinds, std::uint16_t>(a, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    const std::int32_t object = object_at<Kinds>(a.phantom, z, y, x);
    return object < 0 ? std::uint16_t{0} : a.labels[object];
  });
}

}  // namespace device
}  // namespace synthoscope::simulator
