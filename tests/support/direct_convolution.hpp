// SPDX-License-Identifier: MIT
// tests/support/direct_convolution.hpp — the definition of a convolution, summed in long double.
#pragma once
#include "core/stream/memory_stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::test {

/// h[o] = sum_k f[o + c - k] g[k] (or f[o - c + k] with correlation), by the definition alone;
/// shares no index arithmetic with the library. `problem` gives boundary, shape and centre.
Volume<long double> direct_convolution(const Volume<double>& image, const Volume<double>& kernel,
                                       const fftconv::Problem& problem);

/// The same of |f| and |g|: its peak is what errors are measured against.
long double peak_of_absolutes(const Volume<double>& image, const Volume<double>& kernel,
                              const fftconv::Problem& problem);

}  // namespace synthoscope::test
