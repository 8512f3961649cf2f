// SPDX-License-Identifier: MIT
// simulator/truth/median.hpp — the median of known numbers.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace synthoscope::simulator {

/// Returns the median of the numbers that are not NaN; nothing if there is none.
inline std::optional<double> median_of_known(std::vector<double> numbers) {
  std::erase_if(numbers, [](double one) { return std::isnan(one); });
  if (numbers.empty()) return std::nullopt;
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(numbers.begin(), middle)) / 2;
}

}  // namespace synthoscope::simulator
