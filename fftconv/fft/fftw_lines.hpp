// SPDX-License-Identifier: MIT
// fftconv/fft/fftw_lines.hpp — FFTW as a library of line transforms. In a build without FFTW only
// is_built_in() may be called.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include "fftconv/fft/line_transform.hpp"

namespace synthoscope::fftconv::fftw {

/// Returns whether the program is linked with FFTW.
[[nodiscard]] bool is_built_in();

/// Returns what FFTW says of itself, such as "fftw-3.3.10-sse2-avx".
[[nodiscard]] std::string version();

/// How FFTW chooses its algorithm: `estimated` by rules, the same on every run; `measured` by
/// trying several once, which takes up to a second for each length. What was measured is kept as
/// FFTW's wisdom in the cache folder.
enum class Planning { estimated, measured };

/// Makes transforms of `lanes` lines of `length` at once. Their spectra are in natural order.
template <class Real>
std::unique_ptr<LineTransform<Real>> make_lines(std::int64_t length, std::int64_t lanes,
                                                Planning planning);

extern template std::unique_ptr<LineTransform<float>> make_lines(std::int64_t, std::int64_t,
                                                                 Planning);
extern template std::unique_ptr<LineTransform<double>> make_lines(std::int64_t, std::int64_t,
                                                                  Planning);

}  // namespace synthoscope::fftconv::fftw
