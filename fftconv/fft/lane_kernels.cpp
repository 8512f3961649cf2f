// SPDX-License-Identifier: MIT
#include "fftconv/fft/lane_kernels.hpp"
#include <vector>

namespace synthoscope::fftconv {

template <class Real>
std::span<const LaneKernels<Real>* const> available_lane_kernels() {
  static const auto kSets = [] {
    std::vector<const LaneKernels<Real>*> sets;
    for_levels_here([&](auto at) { sets.push_back(&lane_kernels<Real, at.value>()); });
    return sets;
  }();
  return kSets;
}

template std::span<const LaneKernels<float>* const> available_lane_kernels();
template std::span<const LaneKernels<double>* const> available_lane_kernels();

}  // namespace synthoscope::fftconv
