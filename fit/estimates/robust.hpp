// SPDX-License-Identifier: MIT
// fit/estimates/robust.hpp — middles and scatters that single wild values do not change.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace synthoscope::fit {

/// Returns the median; 0 of no values.
inline double robust_median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// Returns the mean of the middle half of the values: of whole numbers it has no steps, as their
/// median would have. 0 of no values.
inline double mean_of_middle_half(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t cut = values.size() / 4;
  double sum = 0;
  for (std::size_t i = cut; i < values.size() - cut; ++i) sum += values[i];
  return sum / static_cast<double>(values.size() - 2 * cut);
}

/// Returns the standard deviation of normal values with the same median of absolute deviations.
inline double robust_deviation(std::vector<double> values) {
  constexpr double kDeviations = 1.4826;  // 1 / the quantile of a normal distribution at 3/4
  const double middle = robust_median(values);
  for (double& value : values) value = std::abs(value - middle);
  return kDeviations * robust_median(std::move(values));
}

}  // namespace synthoscope::fit
