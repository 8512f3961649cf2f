// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/decimation.hpp — a volume in parts: decimation in frequency along z, at
// half-integer frequencies.
//
// N = 2 R M planes are cut into P = 2R slabs of M. With theta_p = 2 pi (p + 1/2) / N, p < R:
//
//     fold      f_p[m] = sum over z = m + q M of exp(-i theta_p z) f[z]       M complex planes
//     convolve  c_p    = f_p (*) g_p                                          cyclic, length M
//     unfold    h[v]   = (1 / R) Re sum_p exp(i theta_p v) c_p[v mod M]
//
// The R parts hold all frequencies of real data: nothing is special at zero, nothing is computed
// twice. What wraps around N changes its sign.
// @source Karas & Svoboda, Convolution of large 3D images on GPU and its decomposition, EURASIP
// JASP 2011:120; with half-integer frequencies in place of conjugate pairs.
#pragma once
#include <complex>
#include <cstdint>

namespace synthoscope::fftconv {

struct Decimation {
  std::int64_t parts = 1;   ///< R
  std::int64_t planes = 1;  ///< M, of a part
  [[nodiscard]] std::int64_t slabs() const { return 2 * parts; }
  [[nodiscard]] std::int64_t length() const { return 2 * parts * planes; }
  /// Plane of every part that position z, also a negative one, is folded into.
  [[nodiscard]] std::int64_t plane_of(std::int64_t z) const {
    return (z % planes + planes) % planes;
  }
};

/// exp(-i theta_p z), exact to double precision for any position.
std::complex<double> rotation(const Decimation& decimation, std::int64_t part,
                              std::int64_t position);

}  // namespace synthoscope::fftconv
