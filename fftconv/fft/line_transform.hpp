// SPDX-License-Identifier: MIT
// fftconv/fft/line_transform.hpp — the complex transforms of one length that all strategies of the
// host share, by our own lane functions or by another library.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "fftconv/fft/fft_library.hpp"
#include "fftconv/fft/lane_functions.hpp"

namespace synthoscope::fftconv {

/// Transforms as many lines at once as a vector register has lanes (lane_functions.hpp). Immutable
/// once made; several threads may use it at the same time.
template <class Real>
class LineTransform {
 public:
  LineTransform() = default;
  LineTransform(const LineTransform&) = delete;
  LineTransform& operator=(const LineTransform&) = delete;
  virtual ~LineTransform() = default;

  /// Transforms in -> out through `work`, which has as many elements as the line and is aligned as
  /// HostBuffer is; it may be the base of a contiguous `in` or `out`. Unscaled. The order of a
  /// spectrum is the library's own: only spectra of the same transform can be multiplied.
  virtual void forward(Line<const Real> in, Line<Real> out, Real* work) const = 0;
  /// The inverse of `forward`, times the length.
  virtual void inverse(Line<const Real> in, Line<Real> out, Real* work) const = 0;
};

/// Makes the transform of `length`, a product of 2, 3, 5 and 7, in the lanes of `functions`, which
/// must outlive it.
/// @throws InvalidSpec  this build does not have the library.
template <class Real>
std::unique_ptr<LineTransform<Real>> make_line_transform(FftLibrary library, std::int64_t length,
                                                         const LaneFunctions<Real>& functions);

extern template std::unique_ptr<LineTransform<float>> make_line_transform(
    FftLibrary, std::int64_t, const LaneFunctions<float>&);
extern template std::unique_ptr<LineTransform<double>> make_line_transform(
    FftLibrary, std::int64_t, const LaneFunctions<double>&);

/// Returns the frequency, 0 to length - 1, of each element of a spectrum of `lines`.
/// @param lanes  of its lane functions
std::vector<std::int64_t> frequencies_of(const LineTransform<double>& lines, std::int64_t length,
                                         std::int64_t lanes);

}  // namespace synthoscope::fftconv
