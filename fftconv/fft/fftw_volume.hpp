// SPDX-License-Identifier: MIT
// fftconv/fft/fftw_volume.hpp — cyclic convolution by FFTW's own transforms of real volumes, which
// share nothing with ours. Only for builds with FFTW.
#pragma once
#include "core/run/run_context.hpp"
#include "core/volume/extent.hpp"

namespace synthoscope::fftconv::fftw {

/// Convolves `image` with `kernel` in place, both volumes of padded_volume(extent) doubles, aligned
/// as HostBuffer is; afterwards the kernel holds its spectrum. A transform cannot be interrupted.
/// @throws Interrupted  between transforms
void convolve_volumes(const Extent3& extent, double* image, double* kernel,
                      const RunContext& context);

}  // namespace synthoscope::fftconv::fftw
