// SPDX-License-Identifier: MIT
// fftconv/fft/lane_functions.hpp — the inner loops of the host convolution, one vector lane per
// line.
//
// Spectra are stored as lane elements: `lanes` real parts, then `lanes` imaginary parts, of
// neighbouring frequencies. A transform along z or y walks over whole elements, so every butterfly
// works on full vector registers without a shuffle, whatever the length; only the transform along
// x has to bring rows into lanes (a transpose of lanes x lanes blocks) and back.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include "core/vector/vector_level.hpp"
#include "fftconv/fft/line_plan.hpp"

namespace synthoscope::fftconv {

/// The elements of a line: element e is at base + offsets[e], in Reals. If offsets[e] < 0, the
/// element reads as zero and is not written. Without offsets the elements are contiguous.
template <class Real>
struct Line {
  Real* base = nullptr;
  const std::int64_t* offsets = nullptr;
};

/// The functions for one instruction set. None of them allocates, throws or waits.
template <class Real>
struct LaneFunctions {
  std::string_view instruction_set;
  std::int64_t lanes;  ///< Reals in a vector register; an element has 2 * lanes Reals

  /// Transforms `lanes` lines at once: in -> out through `work` (plan.length elements), which may
  /// be the base of a contiguous `in` or `out`. Unscaled; order of the spectrum as LinePlan says.
  void (*forward)(const LineSteps<Real>& plan, Line<const Real> in, Line<Real> out, Real* work);
  /// The inverse of `forward`, times the length.
  void (*inverse)(const LineSteps<Real>& plan, Line<const Real> in, Line<Real> out, Real* work);

  /// a[e] <- scale * a[e] * b[e] for `count` elements back to back.
  void (*multiply)(Real* a, const Real* b, std::int64_t count, Real scale);

  /// out[0] <- scale * sum over e < count of a[e] * b[e], elements where their offsets say.
  void (*sum_of_products)(Line<const Real> a, Line<const Real> b, std::int64_t count, Real scale,
                          Real* out);

  /// Complex planes A + i B, held as the half spectra of the real planes A and B. Element e of A is
  /// at planes.offsets[e], that of B `apart` Reals after it. plus[e] <- A + i B is the complex
  /// spectrum at the stored frequency, minus[e] <- conj(A) + i conj(B) the one at its negative,
  /// which is not stored.
  void (*join_pairs)(Line<const Real> planes, std::int64_t apart, std::int64_t count, Real* plus,
                     Real* minus);
  /// The inverse of join_pairs, times 2.
  void (*split_pairs)(const Real* plus, const Real* minus, std::int64_t count, Line<Real> planes,
                      std::int64_t apart);

  /// a[i] += c v[i] and b[i] += s v[i] for `count` Reals.
  void (*add_rotated)(const Real* v, std::int64_t count, Real c, Real s, Real* a, Real* b);
  /// h[i] += c a[i] + s b[i] for `count` Reals.
  void (*add_projected)(const Real* a, const Real* b, std::int64_t count, Real c, Real s, Real* h);

  /// Packs `lanes` real rows of 2 half values into `half` elements, element m holding
  /// (x[m] - i x[m + half]) exp(-i pi m / (2 half)) of each row. Rows may be read up to 2 half
  /// plus one vector; null rows count as zero.
  void (*pack_rows)(const Real* const* rows, std::int64_t half, const Real* shift, Real* block);
  /// The inverse of pack_rows: x[m] = Re(b), x[m + half] = -Im(b) with b = block[m] conj(shift[m]).
  /// Rows are written up to 2 half plus one vector; null rows are skipped.
  void (*unpack_rows)(const Real* block, std::int64_t half, const Real* shift, Real* const* rows);

  /// Turns `half` elements whose lanes are rows into rows of elements whose lanes are frequencies,
  /// padded with zeros to whole elements; null rows are skipped.
  void (*lanes_to_spectrum)(const Real* block, std::int64_t half, Real* const* rows);
  /// The inverse of lanes_to_spectrum; null rows count as zero.
  void (*spectrum_to_lanes)(const Real* const* rows, std::int64_t half, Real* block);
};

/// The functions of one level, which this processor must have; see lane_functions_body.hpp.
template <class Real, VectorLevel level>
const LaneFunctions<Real>& lane_functions();

/// The functions of every instruction set that this processor has, best first; never empty.
template <class Real>
std::span<const LaneFunctions<Real>* const> available_lane_functions();

extern template std::span<const LaneFunctions<float>* const> available_lane_functions();
extern template std::span<const LaneFunctions<double>* const> available_lane_functions();

}  // namespace synthoscope::fftconv
