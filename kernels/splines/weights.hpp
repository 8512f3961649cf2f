// SPDX-License-Identifier: MIT
// kernels/splines/weights.hpp — the weights of the coefficients around a coordinate in a B-spline
// of order 0 to 5, in double.
#pragma once
#include "core/vector/vector_level.hpp"
#include "kernels/body/interpolation.hpp"

namespace synthoscope::kernels {

/// The centred B-spline of order kOrder, for coefficients at whole numbers: kOrder + 1 of them
/// count for a coordinate c, from first(c) on. `weigh` takes c - first(c).
/// @source  Unser, Aldroubi, Eden, IEEE Trans. Signal Process. 41 (1993) 821,
///          doi:10.1109/78.193220, eq. 2.5.
template <int kOrder>
struct SplineWeights {
  static constexpr int kTaps = kOrder + 1;

  static SYNTHOSCOPE_INLINE double first(double c) {
    return kOrder % 2 == 1 ? whole_below(c) - (kOrder / 2) : whole_below(c + 0.5) - (kOrder / 2);
  }

  /// @param at  in the middle step of the kOrder + 1 coefficients
  static SYNTHOSCOPE_INLINE void weigh(double at, double* w) {
    const double t = at - kOrder / 2;  // from the coefficient at or next to the middle
    const double u = 1 - t;
    if constexpr (kOrder == 1) {
      w[0] = u;
    } else if constexpr (kOrder == 2) {
      w[0] = 0.5 * (0.5 - t) * (0.5 - t);
      w[1] = 0.75 - t * t;
    } else if constexpr (kOrder == 3) {
      w[0] = u * u * u / 6;
      w[1] = (t * t * (t - 2) * 3 + 4) / 6;
      w[2] = (u * u * (u - 2) * 3 + 4) / 6;
    } else if constexpr (kOrder == 4) {
      const double square = t * t, end = (0.5 - t) * (0.5 - t);
      const auto beside = [](double y) SYNTHOSCOPE_INLINE {  // 1/2 <= y <= 3/2
        return y * (y * (y * (5 - y) / 6 - 1.25) + 5.0 / 24) + 55.0 / 96;
      };
      w[0] = end * end / 24;
      w[1] = beside(1 + t);
      w[2] = square * (square * 0.25 - 0.625) + 115.0 / 192;
      w[3] = beside(u);
    } else if constexpr (kOrder == 5) {
      const auto near = [](double y) SYNTHOSCOPE_INLINE {  // 0 <= y <= 1
        return y * y * (y * y * (0.25 - y / 12) - 0.5) + 0.55;
      };
      const auto beside = [](double y) SYNTHOSCOPE_INLINE {  // 1 <= y <= 2
        return y * (y * (y * (y * (y / 24 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425;
      };
      w[0] = u * (u * u) * (u * u) / 120;
      w[1] = beside(1 + t);
      w[2] = near(t);
      w[3] = near(u);
      w[4] = beside(1 + u);
    }
    // The last weight makes their sum 1
    w[kOrder] = 1;
    for (int k = 0; k < kOrder; ++k) w[kOrder] -= w[k];
  }
};

}  // namespace synthoscope::kernels
