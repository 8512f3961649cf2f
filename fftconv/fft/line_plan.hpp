// SPDX-License-Identifier: MIT
// fftconv/fft/line_plan.hpp — how a transform of one length is cut into radices, with its twiddles,
// which are roots of unity.
#pragma once
#include <complex>
#include <cstdint>
#include <vector>

namespace synthoscope::fftconv {

/// exp(-2 pi i m / order), each the product of one of the first roots with one of every so many:
/// 2 sqrt(order) sines and cosines make them all. Products are of more than double precision, so
/// that they round to the nearest double but where that is nearly a tie.
class UnitRoots {
 public:
  /// @param order  at least 1
  explicit UnitRoots(std::int64_t order);
  /// 0 <= m < order
  [[nodiscard]] std::complex<long double> at(std::int64_t m) const {
    const Root a = coarse_[static_cast<std::size_t>(m / step_)];
    const Root b = fine_[static_cast<std::size_t>(m % step_)];
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }

 private:
  struct Root {
    long double re, im;
  };
  std::int64_t step_;
  std::vector<Root> fine_, coarse_;
};

/// One pass over a line: butterflies of `radix` points inside blocks of `block` elements.
struct LineStage {
  int radix = 2;
  std::int64_t block = 2;
  std::int64_t twiddles = 0;  ///< where this stage's factors begin in LinePlan::twiddles
};

/// A complex transform of `length` = product of 2, 3, 5, 7, decimated in frequency, in place. The
/// spectrum stays in the order in which the stages leave it: a product of two spectra does not
/// mind, and the inverse undoes it.
/// @source Gentleman & Sande, Fast Fourier transforms: for fun and profit, AFIPS 1966.
template <class Real>
struct LinePlan {
  std::int64_t length = 1;
  std::vector<LineStage> stages;
  std::vector<Real> twiddles;  ///< per stage [p][k - 1] = exp(-2 pi i p k / block), re and im
};

/// What the lane functions see of a plan: plain pointers into it.
template <class Real>
struct LineSteps {
  std::int64_t length;
  const LineStage* stages;
  std::int64_t stage_count;
  const Real* twiddles;
};

template <class Real>
LineSteps<Real> steps_of(const LinePlan<Real>& plan) {
  return {plan.length, plan.stages.data(), static_cast<std::int64_t>(plan.stages.size()),
          plan.twiddles.data()};
}

/// @throws InvalidSpec if `length` < 1 or has a prime factor above 7.
template <class Real>
LinePlan<Real> plan_line(std::int64_t length);

extern template LinePlan<float> plan_line(std::int64_t);
extern template LinePlan<double> plan_line(std::int64_t);

/// Calls `visit(radix)` for the radices of `length` in stage order; returns false if `length` is
/// below 1 or has other prime factors.
template <class Visit>
bool visit_radices(std::int64_t length, Visit&& visit) {
  if (length < 1) return false;
  // Eights first, because a pass over memory costs more than a larger butterfly; a power of two
  // ends in 4 x 4 rather than 8 x 2
  for (const int radix : {7, 5, 3})
    for (; length % radix == 0; length /= radix) visit(radix);
  for (; length % 8 == 0 && length != 16; length /= 8) visit(8);
  for (const int radix : {4, 2})
    for (; length % radix == 0; length /= radix) visit(radix);
  return length == 1;
}

/// The radices of `length`, in stage order; empty for 1 and for lengths with other primes.
std::vector<int> radices_of(std::int64_t length);

/// True for 1 and for products of 2, 3, 5 and 7.
bool can_transform(std::int64_t length);

/// exp(-i pi m / (2 half)) for m < half, re and im: turns 2 half reals into half complex numbers
/// at the half-integer frequencies 2k + 1/2 (see LaneFunctions::pack_rows).
template <class Real>
std::vector<Real> half_shift_twiddles(std::int64_t half);

extern template std::vector<float> half_shift_twiddles(std::int64_t);
extern template std::vector<double> half_shift_twiddles(std::int64_t);

}  // namespace synthoscope::fftconv
