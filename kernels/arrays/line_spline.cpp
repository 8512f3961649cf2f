// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <cmath>
#include <vector>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "kernels/arrays/line_filter.hpp"
#include "kernels/lanes/lanes.hpp"

namespace synthoscope::kernels {
namespace {

/// Returns the poles inside the unit circle, for the spline of `order` (table I of the source).
std::vector<double> poles_of(int order) {
  switch (order) {
    case 2:
      return {std::sqrt(8.0) - 3};
    case 3:
      return {std::sqrt(3.0) - 2};
    case 4:
      return {std::sqrt(664 - std::sqrt(438976.0)) + std::sqrt(304.0) - 19,
              std::sqrt(664 + std::sqrt(438976.0)) - std::sqrt(304.0) - 19};
    case 5:
      return {std::sqrt(67.5 - std::sqrt(4436.25)) + std::sqrt(26.25) - 6.5,
              std::sqrt(67.5 + std::sqrt(4436.25)) - std::sqrt(26.25) - 6.5};
    default:
      throw InvalidSpec(
          fmt::format("fit a spline of order {} to lines; use an order from 2 to 5", order));
  }
}

/// Weights of elements in the first result of a recursion in one direction, and in the last result
/// of the other direction, in closed form for lines that continue without end.
struct Ends {
  /// first(0) = sum of begin[i] first(i)
  std::vector<double> begin;
  /// last = sum of end[i] line(n - 1 - i); with wrap the elements are line(i - 1) for i > 0
  std::vector<double> end;
};

// Terms below this share of the first are left out
constexpr double kNegligible = 1e-20;

Ends ends_of(double z, Boundary boundary, std::int64_t n) {
  const auto power = [z](std::int64_t i) { return std::pow(z, static_cast<double>(i)); };
  const auto terms =
      static_cast<std::int64_t>(std::ceil(std::log(kNegligible) / std::log(std::fabs(z))));
  // In longer lines the far end does not count
  const bool is_long = n > 2 * terms;
  const std::int64_t count = is_long ? terms : n;
  Ends ends;
  for (std::int64_t i = 0; i < count; ++i) {
    double weight = 0;
    switch (boundary) {
      case Boundary::mirror:  // period 2n - 2
        weight = power(i) + (i > 0 && i < n - 1 ? power(2 * n - 2 - i) : 0);
        weight /= 1 - power(2 * n - 2);
        break;
      case Boundary::reflect:  // period 2n, the first element twice
        weight = (i == 0 ? 1 : 0) + (power(i + 1) + power(2 * n - i)) / (1 - power(2 * n));
        break;
      default:  // wrap, period n: element n - i is i before the first
        weight = power(i) / (1 - power(n));
    }
    ends.begin.push_back(weight);
  }
  switch (boundary) {
    case Boundary::mirror:
      ends.end = {z / (z * z - 1), z * z / (z * z - 1)};
      break;
    case Boundary::reflect:
      ends.end = {z / (z - 1)};
      break;
    default:
      for (std::int64_t i = 0; i < count; ++i) ends.end.push_back(z * power(i) / (power(n) - 1));
  }
  return ends;
}

struct Pole {
  double z;
  Ends ends;
};

class LineSpline final : public LineFilter {
 public:
  LineSpline(int order, Boundary boundary, std::int64_t length)
      : length_{length}, wraps_{boundary == Boundary::wrap} {
    if (boundary != Boundary::reflect && boundary != Boundary::mirror && boundary != Boundary::wrap)
      throw InvalidSpec(fmt::format(
          "fit a spline to lines that continue by {}: there is no recursion for it; use reflect, "
          "mirror or wrap",
          name_of(boundary)));
    for (const double z : poles_of(order)) {
      gain_ *= (1 - z) * (1 - 1 / z);
      if (length > 1) poles_.push_back({z, ends_of(z, boundary, length)});
    }
  }

  [[nodiscard]] Reach reach() const override { return {}; }
  [[nodiscard]] bool goes_step_by_step() const override { return true; }
  [[nodiscard]] bool works_in_place() const override { return true; }

  void make(const LinesSideBySide& lines, std::int64_t length, double*,
            VectorLevel level) const override {
    SYNTHOSCOPE_ASSERT(length, ==, length_);
    if (length == 1) return;
    with_lanes(level, [&](auto lanes) SYNTHOSCOPE_INLINE {
      using Vectors = DoubleLanes<decltype(lanes)::value>;
      constexpr int kVectors = 4, kBlock = kVectors * Vectors::kCount;
      std::int64_t l = 0;
      for (; l + kBlock <= lines.lanes; l += kBlock)
        fit_lanes<Vectors, kVectors>(lines.first + l, lines.lanes, length);
      for (; l + Vectors::kCount <= lines.lanes; l += Vectors::kCount)
        fit_lanes<Vectors, 1>(lines.first + l, lines.lanes, length);
      for (; l < lines.lanes; ++l) fit_lanes<OneDouble, 1>(lines.first + l, lines.lanes, length);
    });
  }

 private:
  /// Passes kVectors vectors of lines side by side through all poles, in place.
  template <class Vectors, int kVectors>
  SYNTHOSCOPE_INLINE void fit_lanes(double* lines, std::int64_t step, std::int64_t n) const {
    using Vector = typename Vectors::Vector;
    const auto each = [](auto&& of_vector) SYNTHOSCOPE_INLINE {
      for (int v = 0; v < kVectors; ++v) of_vector(v);
    };
    const auto at = [=](std::int64_t i, int v) SYNTHOSCOPE_INLINE {
      return Vectors::at(lines + i * step + v * Vectors::kCount);
    };
    const auto put = [=](const Vector& value, std::int64_t i, int v) SYNTHOSCOPE_INLINE {
      Vectors::store(value, lines + i * step + v * Vectors::kCount);
    };
    double scale = gain_;  // of all poles, applied once
    Vector sums[kVectors];
    for (const Pole& pole : poles_) {
      const double z = pole.z;
      const double *const begin = pole.ends.begin.data(), *const end = pole.ends.end.data();
      const auto begins = static_cast<std::int64_t>(pole.ends.begin.size());
      const auto ends = static_cast<std::int64_t>(pole.ends.end.size());
      each([&](int v) SYNTHOSCOPE_INLINE { sums[v] = at(0, v) * begin[0]; });
      for (std::int64_t i = 1; i < begins; ++i)
        each([&](int v) SYNTHOSCOPE_INLINE { sums[v] += at(wraps_ ? n - i : i, v) * begin[i]; });
      each([&](int v) SYNTHOSCOPE_INLINE { put(sums[v] *= scale, 0, v); });
      for (std::int64_t i = 1; i < n; ++i)
        each([&](int v) SYNTHOSCOPE_INLINE {
          sums[v] = at(i, v) * scale + sums[v] * z;
          put(sums[v], i, v);
        });
      each([&](int v) SYNTHOSCOPE_INLINE { sums[v] *= end[0]; });
      for (std::int64_t i = 1; i < ends; ++i)
        each([&](int v)
                 SYNTHOSCOPE_INLINE { sums[v] += at(wraps_ ? i - 1 : n - 1 - i, v) * end[i]; });
      each([&](int v) SYNTHOSCOPE_INLINE { put(sums[v], n - 1, v); });
      for (std::int64_t i = n - 2; i >= 0; --i)
        each([&](int v) SYNTHOSCOPE_INLINE {
          sums[v] = (sums[v] - at(i, v)) * z;
          put(sums[v], i, v);
        });
      scale = 1;
    }
  }

  std::int64_t length_;
  bool wraps_;
  double gain_ = 1;
  std::vector<Pole> poles_;
};

}  // namespace

std::unique_ptr<LineFilter> line_spline(int order, Boundary boundary, std::int64_t length) {
  return std::make_unique<LineSpline>(order, boundary, length);
}

}  // namespace synthoscope::kernels
