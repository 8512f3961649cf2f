// SPDX-License-Identifier: MIT
// fftconv/device/code/plain.cuh — what a library of transforms leaves to do: voxels to rows of
// complex numbers and back, columns to strips and back, products of strips.
#pragma once
#include "fftconv/device/code/arguments.hpp"
#include "fftconv/device/code/columns.cuh"
#include "fftconv/device/code/dft.cuh"
#include "fftconv/device/code/rows.cuh"

namespace synthoscope::fftconv::device {

/// Threads of a block of the kernels below (kernel_names.hpp).
constexpr int kPlainThreads = 256;

/// Rows of 2 `half` voxels as `half` complex numbers, as rows_forward has them before it
/// transforms. A block a row.
template <class Native, Placing Placed>
__global__ void __launch_bounds__(kPlainThreads) place_rows(const RowsForward a, const int half) {
  const int plane = blockIdx.x / a.row_count, at = blockIdx.x % a.row_count;
  const PlacedRow placed = a.rows ? a.rows[at] : PlacedRow{at, at};
  const PlacedVoxels<Native, Placed> row{a, plane, placed};
  float2* spectrum = a.spectra + plane * a.spectrum_plane + placed.position * a.spectrum_row;
  for (int m = threadIdx.x; m < half; m += kPlainThreads)
    spectrum[m] = times({row.at(m), -row.at(m + half)}, __ldg(a.half_shift + m));
}

/// The inverse, as rows_back stores what it has transformed. A block a row.
template <class Native>
__global__ void __launch_bounds__(kPlainThreads) store_rows(const RowsBack a, const int half) {
  const int plane = blockIdx.x / a.row_count, at = blockIdx.x % a.row_count;
  const float2* row = a.spectra + plane * a.spectrum_plane + at * a.spectrum_row;
  Native* voxels = static_cast<Native*>(a.voxels) + plane * a.voxel_plane + at * a.voxel_row;
  Storing<Native> storing;
  for (int m = threadIdx.x; m < half; m += kPlainThreads) {
    const float2 x = times_conj(row[m], __ldg(a.half_shift + m));
    if (m < a.width) voxels[m] = storing.stored(x.x);
    if (m + half < a.width) voxels[m + half] = storing.stored(-x.y);
  }
  if (a.counts) add_counts<kPlainThreads>(a.counts, storing.clipped, storing.non_finite);
}

__device__ __forceinline__ int slot_of(Choice which, const Elements& elements, int e) {
  if (which == Choice::all) return e;
  if (which == Choice::front) return e < elements.count ? e : -1;
  return __ldg(elements.slots + e);
}

/// A thread a value; the grid's y is the element.
__global__ void __launch_bounds__(kPlainThreads) gather_strip(const StripOfColumns a) {
  const int c = blockIdx.x * kPlainThreads + threadIdx.x, e = blockIdx.y;
  if (c >= a.width) return;
  const int slot = slot_of(a.loaded, a.columns.loaded, e);
  a.strip[e * static_cast<Count>(a.width) + c] =
      slot < 0 ? float2{0, 0} : a.columns.in[slot * a.columns.apart + a.first + c];
}

__global__ void __launch_bounds__(kPlainThreads) multiply_strip(const StripOfColumns a) {
  const int c = blockIdx.x * kPlainThreads + threadIdx.x, e = blockIdx.y;
  if (c >= a.width) return;
  float2& value = a.strip[e * static_cast<Count>(a.width) + c];
  const float2 factor = a.columns.transfer[e * a.columns.apart + a.first + c];
  value = a.conjugates ? times_conj(value, factor) : times(value, factor);
}

__global__ void __launch_bounds__(kPlainThreads) scatter_strip(const StripOfColumns a) {
  const int c = blockIdx.x * kPlainThreads + threadIdx.x, e = blockIdx.y;
  if (c >= a.width) return;
  const int slot = slot_of(a.stored, a.columns.stored, e);
  if (slot < 0) return;
  const float2 value = a.strip[e * static_cast<Count>(a.width) + c];
  float2& result = a.columns.out[slot * a.columns.apart + a.first + c];
  result = a.adds ? result + value : value;
}

/// a <- scale a b, complex values in double precision; a thread a value.
__global__ void __launch_bounds__(kPlainThreads)
    multiply_spectra(double* const a, const double* const b, const Count count,
                     const double scale) {
  const Count i = blockIdx.x * static_cast<Count>(kPlainThreads) + threadIdx.x;
  if (i >= count) return;
  const double re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
  const double im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
  a[2 * i] = scale * re;
  a[2 * i + 1] = scale * im;
}

}  // namespace synthoscope::fftconv::device
