// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "kernels/arrays/line_filter.hpp"
#include "kernels/lanes/lanes.hpp"

namespace synthoscope::kernels {
namespace {

/// How weights change when their order is reversed: even not at all, odd in sign.
enum class Symmetry { none, even, odd };

Symmetry symmetry_of(std::span<const double> weights) {
  const std::size_t n = weights.size();
  if (n % 2 == 0) return Symmetry::none;
  // The difference up to which scipy.ndimage takes weights as equal
  constexpr double kNear = std::numeric_limits<double>::epsilon();
  bool even = true, odd = true;
  for (std::size_t i = 0; i < n / 2; ++i) {
    even = even && !(std::fabs(weights[n - 1 - i] - weights[i]) > kNear);
    odd = odd && !(std::fabs(weights[n - 1 - i] + weights[i]) > kNear);
  }
  return even ? Symmetry::even : odd ? Symmetry::odd : Symmetry::none;
}

/// Computes kVectors vectors of results from the elements that begin at `from`; consecutive weights
/// apply to elements `step` doubles apart.
template <class Vectors, int kVectors, Symmetry kSymmetry>
SYNTHOSCOPE_INLINE inline void correlate_block(const double* from, std::int64_t step,
                                               const double* weights, std::int64_t size,
                                               double* to) {
  constexpr int kCount = Vectors::kCount;
  typename Vectors::Vector sums[kVectors];
  const auto element = [=](std::int64_t j, int v)
                           SYNTHOSCOPE_INLINE { return Vectors::at(from + j * step + v * kCount); };
  const std::int64_t first = kSymmetry == Symmetry::none ? size - 1 : size / 2;
  for (int v = 0; v < kVectors; ++v) sums[v] = element(first, v) * weights[first];
  for (std::int64_t j = 0; j < first; ++j)
    for (int v = 0; v < kVectors; ++v) {
      if constexpr (kSymmetry == Symmetry::none)
        sums[v] += element(j, v) * weights[j];
      else if constexpr (kSymmetry == Symmetry::even)
        sums[v] += (element(j, v) + element(size - 1 - j, v)) * weights[j];
      else
        sums[v] += (element(j, v) - element(size - 1 - j, v)) * weights[j];
    }
  for (int v = 0; v < kVectors; ++v) Vectors::store(sums[v], to + v * kCount);
}

/// Computes results [0, count) in blocks of vectors; the last vector begins so that it ends with
/// them.
template <class Vectors, Symmetry kSymmetry>
SYNTHOSCOPE_INLINE inline void correlate_all(const double* from, std::int64_t step,
                                             const double* weights, std::int64_t size,
                                             std::int64_t count, double* to) {
  constexpr int kVectors = 4, kBlock = kVectors * Vectors::kCount;
  std::int64_t k = 0;
  StopMeter meter;
  for (; k + kBlock <= count; k += kBlock) {
    meter.work(size);
    correlate_block<Vectors, kVectors, kSymmetry>(from + k, step, weights, size, to + k);
  }
  for (; k < count && count >= Vectors::kCount; k += Vectors::kCount) {
    const std::int64_t at = k + Vectors::kCount <= count ? k : count - Vectors::kCount;
    correlate_block<Vectors, 1, kSymmetry>(from + at, step, weights, size, to + at);
  }
  for (; k < count; ++k)
    correlate_block<OneDouble, 1, kSymmetry>(from + k, step, weights, size, to + k);
}

class LineCorrelation final : public LineFilter {
 public:
  LineCorrelation(std::span<const double> weights, std::int64_t origin)
      : weights_{weights.begin(), weights.end()}, symmetry_{symmetry_of(weights)} {
    const auto size = static_cast<std::int64_t>(weights.size());
    if (size == 0) throw InvalidSpec("correlate lines: there are no weights; give at least one");
    reach_ = reach_about(size, origin);
  }

  [[nodiscard]] Reach reach() const override { return reach_; }
  [[nodiscard]] bool goes_step_by_step() const override { return false; }

  void make(const LinesSideBySide& lines, std::int64_t length, double* results,
            VectorLevel level) const override {
    const std::int64_t count = length * lines.lanes, step = lines.lanes;
    const auto size = static_cast<std::int64_t>(weights_.size());
    const double* const weights = weights_.data();
    with_lanes(level, [&](auto lanes) SYNTHOSCOPE_INLINE {
      using Vectors = DoubleLanes<decltype(lanes)::value>;
      switch (symmetry_) {
        case Symmetry::none:
          return correlate_all<Vectors, Symmetry::none>(lines.first, step, weights, size, count,
                                                        results);
        case Symmetry::even:
          return correlate_all<Vectors, Symmetry::even>(lines.first, step, weights, size, count,
                                                        results);
        case Symmetry::odd:
          return correlate_all<Vectors, Symmetry::odd>(lines.first, step, weights, size, count,
                                                       results);
      }
    });
  }

 private:
  std::vector<double> weights_;
  Symmetry symmetry_;
  Reach reach_;
};

}  // namespace

LineFilter::Reach reach_about(std::int64_t size, std::int64_t origin) {
  const std::int64_t before = size / 2 + origin;
  if (before < 0 || before >= size)
    throw InvalidSpec(fmt::format(
        "filter lines with {} weights at the origin {}: the centre is then outside of them; use "
        "{} to {}",
        size, origin, -(size / 2), (size - 1) / 2));
  return {before, size - 1 - before};
}

std::unique_ptr<LineFilter> line_correlation(std::span<const double> weights, std::int64_t origin) {
  return std::make_unique<LineCorrelation>(weights, origin);
}

}  // namespace synthoscope::kernels
