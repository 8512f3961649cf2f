// SPDX-License-Identifier: MIT
// kernels/body/scaled_responses.hpp — how responses of a bank of filters become features. Host and
// device compile this file.
#pragma once
#include <cmath>
#include "core/math/elementary.hpp"

namespace synthoscope::kernels {

/// The factors of all responses of a voxel.
struct ResponseScale {
  float gain = 1;
  bool normalises_contrast = false;  ///< then also by Weber's law (contrast_gain)

  /// Returns whether nothing is multiplied.
  [[nodiscard]] constexpr bool is_none() const { return gain == 1 && !normalises_contrast; }
};

/// Returns log(1 + |r| / 0.03) / |r|, which becomes 1 / 0.03 as |r| vanishes.
/// @source  Varma and Zisserman, Int. J. Comput. Vis. 62, 61-81 (2005), section 2,
///          doi:10.1007/s11263-005-4635-4.
__attribute__((always_inline)) inline float contrast_gain(float sum_of_squares) {
  constexpr double kWeber = 0.03, kSmall = 1e-3;
  const double share = std::sqrt(static_cast<double>(sum_of_squares)) / kWeber;
  // log(1 + s) / s loses its digits as s vanishes; the error of its series is below 3e-10
  const double series = 1 - share * (0.5 - share * (1 / 3.0));
  const double quotient = portable::log(1 + share) / (share < kSmall ? 1 : share);
  return static_cast<float>((share < kSmall ? series : quotient) / kWeber);
}

}  // namespace synthoscope::kernels
