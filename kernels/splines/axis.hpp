// SPDX-License-Identifier: MIT
// kernels/splines/axis.hpp — weights of a B-spline around a coordinate, and the elements of an axis
// that they count for.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include "core/vector/vector_level.hpp"
#include "kernels/body/interpolation.hpp"
#include "kernels/coordinates/outside.hpp"

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

/// Returns where the value at `c`, which is outside, is repeated from: as brought_in, but with
/// scipy's order of operations, so that coordinates have the same bits. If a single element or a
/// fill value repeats outside, `c` is limited to a margin, beyond which all elements are the same.
inline double brought_near(Outside outside, double c, std::int64_t n) {
  const double count = static_cast<double>(n), last = count - 1;
  switch (outside) {
    case Outside::mirror: {
      if (n == 1) return 0;
      const double folded = std::fabs(c) - 2 * last * std::trunc(std::fabs(c) / (2 * last));
      return folded < last || (c > 0 && folded < count) ? folded : 2 * last - folded;
    }
    case Outside::reflect: {
      const double within = c - 2 * count * std::trunc(c / (2 * count));
      if (c < 0) return within < -count ? within + 2 * count : -within - 1;
      return within >= count ? 2 * count - within - 1 : within;
    }
    case Outside::wrap:
      return c < 0 ? c + count * (std::trunc((-1 - c) / count) + 1)
                   : c - count * std::trunc(c / count);
    case Outside::scipy_wrap:
      return in_period(c, n);
    default:
      return std::clamp(c, -double{kMargin}, last + double{kMargin});
  }
}

/// An axis of an image, or of its coefficients.
struct LookupAxis {
  Outside outside;
  std::int64_t n, before, stride;  ///< `before`: elements before coordinate 0

  /// Finds the elements that count for the coordinate `c`: their offsets, below 0 for the fill
  /// value, and weights.
  /// @returns false if there is no value at `c`
  template <int kOrder>
  SYNTHOSCOPE_INLINE bool find(double c, std::int64_t* offsets, double* weights) const {
    using Spline = SplineWeights<kOrder>;
    const double last = static_cast<double>(n - 1);
    double there = limited(c) + static_cast<double>(before);
    if (!(there >= 0 && there <= last)) {
      if (outside == Outside::zero) return false;
      there = brought_near(outside, there, n);
    }
    const double first = Spline::first(there);
    Spline::weigh(there - first, weights);
    const auto begin = static_cast<std::int64_t>(first);
    if (begin >= 0 && begin + kOrder < n) {
      for (int k = 0; k < Spline::kTaps; ++k) offsets[k] = (begin + k) * stride;
    } else {
      for (int k = 0; k < Spline::kTaps; ++k) {
        const std::int64_t at = mapped_index(boundary_of(outside), begin + k, n);
        offsets[k] = at == kOutside ? kOutside : at * stride;
      }
    }
    return true;
  }
};

/// The order of a spline as a type.
template <int kOrder>
struct OrderIs {
  static constexpr int value = kOrder;
};

/// Calls `body(OrderIs<order>{})`.
template <class Body>
void visit_order(int order, const Body& body) {
  switch (order) {
    case 0:
      return body(OrderIs<0>{});
    case 1:
      return body(OrderIs<1>{});
    case 2:
      return body(OrderIs<2>{});
    case 3:
      return body(OrderIs<3>{});
    case 4:
      return body(OrderIs<4>{});
    default:
      return body(OrderIs<5>{});
  }
}

}  // namespace synthoscope::kernels
