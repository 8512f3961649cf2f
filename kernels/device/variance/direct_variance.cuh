// SPDX-License-Identifier: MIT
// kernels/device/variance/direct_variance.cuh — local statistics by textbook formulae, a thread a
// voxel: each goes through its window voxel by voxel. The sums are in
// kernels/body/direct_variance.hpp.
#pragma once
#include "kernels/device/variance/direct_variance_arguments.hpp"
#include "kernels/device/variance/variance.cuh"

namespace synthoscope::kernels::device {

using kernels::DirectWay;  // names of kernels are looked up in this namespace

template <class Out, DirectWay kWay, int kLevels>
__global__ void __launch_bounds__(kPartsX* kPartsY) go_through_windows(const DirectArguments a) {
  Count z, y, x;
  const Count i = element_of(a.box, z, y, x);
  if (i < 0) return;
  const Moments<float> made = moments<kLevels>(
      kWay, Neighbourhood<float>{a.voxels + i, a.box.plane, a.box.row, a.reach_z, a.reach_y,
                                 a.reach_x, a.weights_z, a.weights_y, a.weights_x});
  StatisticResults<Out> results;
  results.store(a.statistics, (z * a.box.rows + y) * a.box.columns + x, made.mean, made.variance);
  results.finish(a.counts);
}

}  // namespace synthoscope::kernels::device
