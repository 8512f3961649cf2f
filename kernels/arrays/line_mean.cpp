// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "kernels/arrays/line_filter.hpp"
#include "kernels/lanes/lanes.hpp"

namespace synthoscope::kernels {
namespace {

// Means of more elements are made by a running sum
constexpr std::int64_t kMaxAtOnce = 16;

/// Makes running means of kVectors vectors of lines side by side, whose elements are `step` doubles
/// apart.
template <class Vectors, int kVectors>
SYNTHOSCOPE_INLINE inline void go_along(const double* lines, std::int64_t step, std::int64_t length,
                                        std::int64_t size, double* results) {
  constexpr int kCount = Vectors::kCount;
  typename Vectors::Vector sums[kVectors] = {};
  for (std::int64_t j = 0; j + 1 < size; ++j)
    for (int v = 0; v < kVectors; ++v) sums[v] += Vectors::at(lines + j * step + v * kCount);
  const double divisor = static_cast<double>(size);
  for (std::int64_t i = 0; i < length; ++i)
    for (int v = 0; v < kVectors; ++v) {
      const double* const first = lines + i * step + v * kCount;
      sums[v] += Vectors::at(first + (size - 1) * step);
      Vectors::store(sums[v] / divisor, results + i * step + v * kCount);
      sums[v] -= Vectors::at(first);
    }
}

/// Makes running means of a single line, in parts that advance together.
template <int kParts>
void go_along_parts(const double* line, std::int64_t part, std::int64_t size, double* results) {
  double sums[kParts] = {};
  for (int p = 0; p < kParts; ++p)
    for (std::int64_t j = 0; j + 1 < size; ++j) sums[p] += line[p * part + j];
  const double divisor = static_cast<double>(size);
  for (std::int64_t i = 0; i < part; ++i)
    for (int p = 0; p < kParts; ++p) {
      sums[p] += line[p * part + i + size - 1];
      results[p * part + i] = sums[p] / divisor;
      sums[p] -= line[p * part + i];
    }
}

/// Makes a vector of means of elements that are `step` doubles apart.
template <class Vectors>
SYNTHOSCOPE_INLINE inline void mean_of(const double* from, std::int64_t step, std::int64_t size,
                                       double* to) {
  typename Vectors::Vector sum = Vectors::at(from);
  for (std::int64_t j = 1; j < size; ++j) sum += Vectors::at(from + j * step);
  Vectors::store(sum / static_cast<double>(size), to);
}

class LineMean final : public LineFilter {
 public:
  LineMean(std::int64_t size, std::int64_t origin) : size_{size} {
    if (size < 1)
      throw InvalidSpec(
          fmt::format("compute the mean of {} elements of lines; use 1 or more", size));
    reach_ = reach_about(size, origin);
  }

  [[nodiscard]] Reach reach() const override { return reach_; }
  [[nodiscard]] bool goes_step_by_step() const override { return size_ > kMaxAtOnce; }

  void make(const LinesSideBySide& lines, std::int64_t length, double* results,
            VectorLevel level) const override {
    with_lanes(level, [&](auto lanes) SYNTHOSCOPE_INLINE {
      using Vectors = DoubleLanes<decltype(lanes)::value>;
      if (size_ > kMaxAtOnce)
        all_along<Vectors>(lines, length, results);
      else
        each_alone<Vectors>(lines.first, lines.lanes, length * lines.lanes, results);
    });
  }

 private:
  template <class Vectors>
  SYNTHOSCOPE_INLINE void all_along(const LinesSideBySide& lines, std::int64_t length,
                                    double* results) const {
    constexpr int kParts = 4, kVectors = 4;
    if (lines.lanes == 1) {
      const std::int64_t part = length / kParts, done = part * kParts;
      go_along_parts<kParts>(lines.first, part, size_, results);
      return go_along<OneDouble, 1>(lines.first + done, 1, length - done, size_, results + done);
    }
    std::int64_t l = 0;
    const auto go = [&](auto vectors, auto count) SYNTHOSCOPE_INLINE {
      using Kind = decltype(vectors);
      constexpr int kOf = decltype(count)::value;
      for (; l + kOf * Kind::kCount <= lines.lanes; l += kOf * Kind::kCount)
        go_along<Kind, kOf>(lines.first + l, lines.lanes, length, size_, results + l);
    };
    go(Vectors{}, LaneCount<kVectors>{});
    go(Vectors{}, LaneCount<1>{});
    go(OneDouble{}, LaneCount<1>{});
  }

  /// The last vector begins so that it ends with the results.
  template <class Vectors>
  SYNTHOSCOPE_INLINE void each_alone(const double* from, std::int64_t step, std::int64_t count,
                                     double* to) const {
    std::int64_t k = 0;
    for (; k < count && count >= Vectors::kCount; k += Vectors::kCount) {
      const std::int64_t at = k + Vectors::kCount <= count ? k : count - Vectors::kCount;
      mean_of<Vectors>(from + at, step, size_, to + at);
    }
    for (; k < count; ++k) mean_of<OneDouble>(from + k, step, size_, to + k);
  }

  std::int64_t size_;
  Reach reach_;
};

}  // namespace

std::unique_ptr<LineFilter> line_mean(std::int64_t size, std::int64_t origin) {
  return std::make_unique<LineMean>(size, origin);
}

}  // namespace synthoscope::kernels
