// SPDX-License-Identifier: MIT
// fftconv/device/code/columns.cuh — transforms across the rows or the planes of spectra, and sums
// along z for thin kernels.
#pragma once
#include "fftconv/device/code/arguments.hpp"
#include "fftconv/device/code/dft.cuh"
#include "fftconv/device/code/line.cuh"

namespace synthoscope::fftconv::device {

/// C columns of 8-byte values in shared memory, interleaved by position. One position of 16 columns
/// uses all banks. For fewer columns, the room of a position is skipped after every PadEvery
/// positions, so that neighbouring positions use different banks.
template <int C, int PadEvery>
struct ColumnRoom {
  float2* column;
  __host__ __device__ static constexpr int row(int position) {
    return (PadEvery > 0 ? position + position / PadEvery : position) * C;
  }
  __device__ __forceinline__ float2& at(int base, int offset) const {
    return column[row(base) + row(offset)];
  }
  __device__ __forceinline__ void wait() const { __syncthreads(); }
};

/// C neighbouring columns, the first of them `at`. Spectra have all their elements. With `Add` the
/// elements are added to what is stored already.
template <class Shape, int C, int PadEvery, Pass What, Choice Loaded, Choice Stored, bool Add>
__device__ __forceinline__ void column_tile(const Columns& a, Count at, float2* shared,
                                            int thread) {
  const int c = thread % C, t = thread / C;
  const ColumnRoom<C, PadEvery> room{shared + c};
  const float2* in = a.in + at + c;
  float2* out = a.out + at + c;
  // All threads have the same offset: multiplied by itself, it costs a thread no instruction
  const auto load = [&](int base, int offset) -> float2 {
    if constexpr (Loaded == Choice::listed) {
      const int slot = __ldg(a.loaded.slots + base + offset);
      return slot < 0 ? float2{0, 0} : in[slot * a.apart];
    } else {
      if (Loaded == Choice::front && base >= a.loaded.count - offset) return {0, 0};
      return in[base * a.apart + offset * a.apart];
    }
  };
  const auto store = [&](int base, int offset, float2 value) {
    float2* result = out + base * a.apart + offset * a.apart;
    if constexpr (Stored == Choice::listed) {
      const int slot = __ldg(a.stored.slots + base + offset);
      if (slot < 0) return;
      result = out + slot * a.apart;
    } else if (Stored == Choice::front && base >= a.stored.count - offset) {
      return;
    }
    *result = Add ? *result + value : value;
  };
  const auto load_spectrum = [&](int base, int offset) {
    return in[base * a.apart + offset * a.apart];
  };
  const auto store_spectrum = [&](int base, int offset, float2 value) {
    out[base * a.apart + offset * a.apart] = value;
  };
  if constexpr (What == Pass::forward) {
    forward<Shape>(a.factors, t, room, load, store_spectrum);
  } else if constexpr (What == Pass::inverse) {
    inverse<Shape>(a.factors, t, room, load_spectrum, store);
  } else {
    const float2* transfer = a.transfer + at + c;
    convolve<Shape>(
        a.factors, t, room, load,
        [&](int base, int offset, float2 value) {
          const float2 factor = transfer[base * a.apart + offset * a.apart];
          return What == Pass::correlate ? times_conj(value, factor) : times(value, factor);
        },
        store);
  }
}

template <class Shape, int C, int PadEvery, Pass What, Choice Loaded, Choice Stored, bool Add,
          int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* C, Blocks) columns(const Columns a) {
  extern __shared__ __align__(128) float2 shared[];
  column_tile<Shape, C, PadEvery, What, Loaded, Stored, Add>(
      a, blockIdx.x * static_cast<Count>(C) + blockIdx.y * a.batch_apart, shared, threadIdx.x);
}

/// A thread a value; the grid's y is the result.
__global__ void __launch_bounds__(256) sum_planes(const PlaneSums a) {
  const Count at = blockIdx.x * static_cast<Count>(256) + threadIdx.x;
  if (at >= a.plane) return;
  const int* partners = a.partners + blockIdx.y * a.taps;
  float2 sum = {0, 0};
  for (int j = 0; j < a.taps; ++j) {
    const int slot = __ldg(partners + j);
    if (slot >= 0) sum = sum + times(a.image[slot * a.plane + at], a.kernel[j * a.plane + at]);
  }
  float2& result = a.result[blockIdx.y * a.plane + at];
  result = a.adds ? result + sum : sum;
}

}  // namespace synthoscope::fftconv::device
