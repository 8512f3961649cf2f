// SPDX-License-Identifier: MIT
// kernels/device/strongest.cuh — the strongest of several filters' responses, one after another.
#pragma once
#include "kernels/body/strongest.hpp"
#include "kernels/device/strongest_arguments.hpp"
#include "kernels/device/window.cuh"

namespace synthoscope::kernels::device {

/// One thread a voxel. The last of the filters stores what was strongest.
template <class Out, bool kIsLast>
__global__ void __launch_bounds__(kStrongestThreads) keep_stronger(const StrongestArguments a) {
  const Count i = static_cast<Count>(blockIdx.x) * kStrongestThreads + threadIdx.x;
  if (i >= a.count) return;
  const float next = strength(a.next[i], a.takes_magnitudes);
  const float strongest = a.is_first ? next : stronger(a.strongest[i], next);
  if constexpr (kIsLast) {
    Storing<Out> storing;
    static_cast<Out*>(a.out)[i] = storing.make(strongest);
    storing.add_to(a.counts);
  } else {
    a.strongest[i] = strongest;
  }
}

}  // namespace synthoscope::kernels::device
