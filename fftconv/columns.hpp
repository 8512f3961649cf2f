// SPDX-License-Identifier: MIT
// fftconv/columns.hpp — the second stage: columns along z are transformed, multiplied, brought
// back.
#pragma once
#include <span>
#include "core/run_context.hpp"
#include "fftconv/scratch.hpp"
#include "fftconv/transforms.hpp"

namespace synthoscope::fftconv {

/// For every column: FFT of the image's planes (zeros beyond them), times the FFT of the kernel's
/// planes at their places, inverse FFT, and only the wanted planes are written. One read and one
/// write of the spectrum; the kernel's transfer function never exists as a whole.
///
/// `image` has layout.image_planes planes, `kernel` layout.kernel_planes. The result overwrites
/// `image`, or is added to `result` where that is not null.
template <class Real>
void convolve_columns(const Layout& layout, const Transforms<Real>& transforms,
                      std::span<Scratch<Real>> scratch, Real* image, const Real* kernel,
                      Real* result, const RunContext& context);

extern template void convolve_columns(const Layout&, const Transforms<float>&,
                                      std::span<Scratch<float>>, float*, const float*, float*,
                                      const RunContext&);
extern template void convolve_columns(const Layout&, const Transforms<double>&,
                                      std::span<Scratch<double>>, double*, const double*, double*,
                                      const RunContext&);

}  // namespace synthoscope::fftconv
