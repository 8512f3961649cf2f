// SPDX-License-Identifier: MIT
// The lane kernels for AVX2: 32-byte vectors.
#define SYNTHOSCOPE_LANE_SET avx2
#define SYNTHOSCOPE_LANE_NAME "AVX2"
#define SYNTHOSCOPE_VECTOR_BYTES 32
#include "fftconv/fft/lane_kernels_body.hpp"
