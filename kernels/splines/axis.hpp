// SPDX-License-Identifier: MIT
// kernels/splines/axis.hpp — which elements of an axis count for a coordinate of a spline.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include "kernels/coordinates/outside.hpp"
#include "kernels/splines/weights.hpp"

namespace synthoscope::kernels {

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
