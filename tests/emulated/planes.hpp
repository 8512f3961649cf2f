// SPDX-License-Identifier: MIT
// tests/emulated/planes.hpp — device code of whole planes, compiled for the host.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdlib>
#include "tests/emulated/cluster.hpp"

#pragma GCC system_header  // the compiler of device code has other warnings

struct float2 {
  float x, y;
};
struct float4 {
  float x, y, z, w;
};
struct Index3OfDevice {
  int x;
};

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __restrict__
#define __shared__
#define __align__(bytes)
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __CUDA_ARCH__ 900
#define threadIdx (Index3OfDevice{synthoscope::test::emulated::Launch::current().thread()})
#define blockIdx (Index3OfDevice{synthoscope::test::emulated::Launch::current().block()})
#define gridDim (Index3OfDevice{synthoscope::test::emulated::Launch::current().blocks()})
#define __syncthreads() synthoscope::test::emulated::Launch::current().meet_in_block()
#define __syncwarp() synthoscope::test::emulated::Launch::current().meet_in_warp()
#define __reduce_add_sync(lanes, value) \
  synthoscope::test::emulated::Launch::current().sum_of_warp(value)

template <class T>
T __ldg(const T* value) {
  return *value;
}
inline void atomicAdd(unsigned long long* to, unsigned long long value) {
  *to += value;
}
inline unsigned atomicInc(unsigned* value, unsigned most) {
  const unsigned before = *value;
  *value = before < most ? before + 1 : 0;
  return before;
}
inline float __int_as_float(int bits) {
  return std::bit_cast<float>(bits);
}
inline int __float_as_int(float value) {
  return std::bit_cast<int>(value);
}
using std::abs, std::max, std::min;

// tests/emulated has a cluster.cuh of its own, which is found first
#include "fftconv/device/code/planes_convolve.cuh"
