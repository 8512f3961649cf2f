// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include "core/error.hpp"
#include "kernels/lanes.hpp"
#include "kernels/line_filter.hpp"

namespace synthoscope::kernels {
namespace {

/// kVectors vectors of lines side by side, whose elements are `step` doubles apart.
template <class Vectors, int kVectors>
SYNTHOSCOPE_INLINE inline void mean_lanes(double* lines, std::int64_t step, std::int64_t length,
                                          std::int64_t size) {
  constexpr int kCount = Vectors::kCount;
  typename Vectors::Vector sums[kVectors] = {};
  for (std::int64_t j = 0; j + 1 < size; ++j)
    for (int v = 0; v < kVectors; ++v) sums[v] += Vectors::at(lines + j * step + v * kCount);
  const double divisor = static_cast<double>(size);
  for (std::int64_t i = 0; i < length; ++i) {
    double* const row = lines + i * step;
    for (int v = 0; v < kVectors; ++v) {
      const auto leaving = Vectors::at(row + v * kCount);
      sums[v] += Vectors::at(row + (size - 1) * step + v * kCount);
      Vectors::store(sums[v] / divisor, row + v * kCount);
      sums[v] -= leaving;
    }
  }
}

class LineMean final : public LineFilter {
 public:
  LineMean(std::int64_t size, std::int64_t origin) : size_{size} {
    if (size < 1)
      throw InvalidSpec(fmt::format("take the mean of {} elements of lines; use 1 or more", size));
    reach_ = reach_about(size, origin);
  }

  [[nodiscard]] Reach reach() const override { return reach_; }
  [[nodiscard]] bool goes_step_by_step() const override { return true; }

  void make(const LinesSideBySide& lines, std::int64_t length, double*,
            VectorLevel level) const override {
    with_lanes(level, [&](auto lanes) SYNTHOSCOPE_INLINE {
      using Vectors = DoubleLanes<decltype(lanes)::value>;
      constexpr int kVectors = 4, kBlock = kVectors * Vectors::kCount;
      std::int64_t l = 0;
      for (; l + kBlock <= lines.lanes; l += kBlock)
        mean_lanes<Vectors, kVectors>(lines.first + l, lines.lanes, length, size_);
      for (; l + Vectors::kCount <= lines.lanes; l += Vectors::kCount)
        mean_lanes<Vectors, 1>(lines.first + l, lines.lanes, length, size_);
      for (; l < lines.lanes; ++l)
        mean_lanes<OneDouble, 1>(lines.first + l, lines.lanes, length, size_);
    });
  }

 private:
  std::int64_t size_;
  Reach reach_;
};

}  // namespace

std::unique_ptr<LineFilter> line_mean(std::int64_t size, std::int64_t origin) {
  return std::make_unique<LineMean>(size, origin);
}

}  // namespace synthoscope::kernels
