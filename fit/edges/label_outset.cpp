// SPDX-License-Identifier: MIT
#include "fit/edges/label_outset.hpp"
#include <algorithm>
#include <cmath>
#include "fit/estimates/robust.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kLeastOutset = 0.25;  ///< pixels
constexpr double kClearOutset = 3;     ///< standard errors

struct MedianOutset {
  double value = 0, error = 0;
};

MedianOutset median_outset(const std::vector<ObjectEdge>& edges) {
  constexpr double kErrorOfMedian = 1.2533;  // sqrt(pi / 2) times that of the mean
  std::vector<double> outsets;
  for (const ObjectEdge& edge : edges) outsets.push_back(edge.outset);
  const double error =
      kErrorOfMedian * robust_deviation(outsets) / std::sqrt(static_cast<double>(outsets.size()));
  return {robust_median(std::move(outsets)), error};
}

}  // namespace

double clear_outset(const std::vector<ObjectEdge>& real, const std::vector<ObjectEdge>& twin) {
  if (real.empty() || twin.empty()) return 0;
  const MedianOutset a = median_outset(real), b = median_outset(twin);
  const double outset = a.value - b.value;
  const double least = std::max(kLeastOutset, kClearOutset * std::hypot(a.error, b.error));
  return std::abs(outset) > least ? outset : 0;
}

}  // namespace synthoscope::fit
