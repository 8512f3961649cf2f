// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/decimation.hpp"
#include <cmath>
#include <numbers>

namespace synthoscope::fftconv {

std::complex<double> rotation(const Decimation& decimation, std::int64_t part,
                              std::int64_t position) {
  // theta_p z = pi (2p + 1) z / N, reduced while it is still a whole number
  const std::int64_t n = decimation.length();
  const std::int64_t turned = (2 * part + 1) * (position % (2 * n)) % (2 * n);
  const double angle = -std::numbers::pi * static_cast<double>(turned) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace synthoscope::fftconv
