// SPDX-License-Identifier: MIT
// The lane kernels for AVX-512: 64-byte vectors.
#define SYNTHOSCOPE_LANE_SET avx512
#define SYNTHOSCOPE_LANE_NAME "AVX-512"
#define SYNTHOSCOPE_VECTOR_BYTES 64
#include "fftconv/fft/lane_kernels_body.hpp"
