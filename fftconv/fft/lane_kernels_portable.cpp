// SPDX-License-Identifier: MIT
// The lane kernels for portable: 16-byte vectors.
#define SYNTHOSCOPE_LANE_SET portable
#define SYNTHOSCOPE_LANE_NAME "portable"
#define SYNTHOSCOPE_VECTOR_BYTES 16
#include "fftconv/fft/lane_kernels_body.hpp"
