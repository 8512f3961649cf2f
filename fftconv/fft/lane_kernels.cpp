// SPDX-License-Identifier: MIT
#include "fftconv/fft/lane_kernels.hpp"
#include <vector>

namespace synthoscope::fftconv {

#if defined(__x86_64__)
namespace avx512 {
template <class Real>
const LaneKernels<Real>& kernels();
}
namespace avx2 {
template <class Real>
const LaneKernels<Real>& kernels();
}
#endif
namespace portable {
template <class Real>
const LaneKernels<Real>& kernels();
}

template <class Real>
std::span<const LaneKernels<Real>* const> available_lane_kernels() {
  static const auto kSets = [] {
    std::vector<const LaneKernels<Real>*> sets;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      sets.push_back(&avx512::kernels<Real>());
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      sets.push_back(&avx2::kernels<Real>());
#endif
    sets.push_back(&portable::kernels<Real>());
    return sets;
  }();
  return kSets;
}

template std::span<const LaneKernels<float>* const> available_lane_kernels();
template std::span<const LaneKernels<double>* const> available_lane_kernels();

}  // namespace synthoscope::fftconv
