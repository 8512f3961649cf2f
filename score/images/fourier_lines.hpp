// SPDX-License-Identifier: MIT
// score/images/fourier_lines.hpp — discrete Fourier transforms of lines of any length, by the
// line transforms of the convolution. Private.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "fftconv/fft/line_transform.hpp"

namespace synthoscope::score {

/// Transforms as many complex lines of one length at once as a vector register has lanes, forward
/// and unscaled. Elements are those of fftconv/fft/lane_functions.hpp. A convolution pads its lines
/// to products of 2, 3, 5 and 7; a spectrum that is measured must have the length of its line.
/// Other lengths are transformed as convolutions with a chirp.
///
/// Immutable once made; several threads may use it at the same time.
///
/// @source Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451, doi:10.1109/TAU.1970.1162132
class FourierLines {
 public:
  /// @param length  at least 1
  explicit FourierLines(std::int64_t length);

  /// Doubles of the memory that `transform` works in, aligned as HostBuffer is.
  [[nodiscard]] std::int64_t work_doubles() const;

  /// Transforms in place the elements at base + offsets[e].
  void transform(double* base, const std::int64_t* offsets, double* work) const;

  /// Returns the frequency, 0 to length - 1, that element e holds after a transform.
  [[nodiscard]] const std::vector<std::int64_t>& frequencies() const { return frequencies_; }

  /// Reals in a vector register; an element has twice as many doubles.
  [[nodiscard]] static std::int64_t lanes();

 private:
  void make_chirp();
  void transform_by_chirp(double* base, const std::int64_t* offsets, double* work) const;

  const fftconv::LaneFunctions<double>* functions_;
  std::int64_t length_, padded_;
  std::unique_ptr<fftconv::LineTransform<double>> lines_;  ///< of `padded_` elements
  std::vector<std::int64_t> frequencies_;
  std::vector<double> chirp_;     ///< exp(-i pi n^2 / length), re and im; empty if not needed
  std::vector<double> spectrum_;  ///< of the conjugate chirp, in elements
};

}  // namespace synthoscope::score
