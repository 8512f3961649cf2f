// SPDX-License-Identifier: MIT
// fftconv/device/code/passes.cuh — all kernels of this library, as one program.
#include "fftconv/device/code/columns.cuh"
#include "fftconv/device/code/parts.cuh"
#include "fftconv/device/code/rows.cuh"
#if __CUDA_ARCH__ >= 900  // has_clusters
#include "fftconv/device/code/planes_convolve.cuh"
#endif
