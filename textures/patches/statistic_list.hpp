// SPDX-License-Identifier: MIT
// textures/patches/statistic_list.hpp — numbers that statistics of patches share, and the list that
// they are added to.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>
#include "textures/patches/statistic_table.hpp"

namespace synthoscope::textures {

inline constexpr double kLevelFloor = 1e-4;  ///< of logarithms, in levels of the objects
inline constexpr double kSquareFloor = kLevelFloor * kLevelFloor;
inline constexpr double kNearZero = 1e-9;  ///< of what is divided by

/// Returns log10 of a value, or of `floor` if that is larger.
inline double log_of(double value, double floor) {
  return std::log10(std::max(value, floor));
}

/// Returns the mean of at least one value.
inline double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Returns the mean of (value - centre)^power. @param power  2, 3 or 4
inline double mean_power_of(const std::vector<double>& values, double centre, int power) {
  double sum = 0;
  for (const double value : values) {
    const double from = value - centre;
    const double square = from * from;
    sum += power == 2 ? square : power == 3 ? square * from : square * square;
  }
  return sum / static_cast<double>(values.size());
}

/// The statistics, added in the order of their table.
class StatisticList {
 public:
  void add(double value) { values_[count_++] = value; }
  [[nodiscard]] const PatchStatistics& values() const { return values_; }

 private:
  PatchStatistics values_{};
  std::size_t count_ = 0;
};

}  // namespace synthoscope::textures
