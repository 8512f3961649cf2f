// SPDX-License-Identifier: MIT
// fftconv/fft/unit_roots.hpp — the roots of unity of one order, from few sines and cosines.
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

}  // namespace synthoscope::fftconv
