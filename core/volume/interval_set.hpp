// SPDX-License-Identifier: MIT
// core/volume/interval_set.hpp — a set of integers that mostly follow each other, such as the steps
// of a run.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/interval.hpp"

namespace synthoscope {

/// A set of integers as ascending intervals that neither overlap nor touch.
class IntervalSet {
 public:
  IntervalSet() = default;
  explicit IntervalSet(const Interval& numbers) { add(numbers); }

  /// Adds numbers; those that the set has already change nothing.
  void add(const Interval& numbers);
  void add(const IntervalSet& numbers);

  [[nodiscard]] const std::vector<Interval>& all() const { return intervals_; }
  [[nodiscard]] std::int64_t count() const;
  /// Returns the numbers that `others` does not have.
  [[nodiscard]] IntervalSet without(const IntervalSet& others) const;
  /// Returns `count` numbers after the `first` smallest; fewer if there are no more.
  [[nodiscard]] IntervalSet slice(std::int64_t first, std::int64_t count) const;
  /// Returns all numbers, ascending.
  [[nodiscard]] std::vector<std::int64_t> numbers() const;

  friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

 private:
  std::vector<Interval> intervals_;
};

}  // namespace synthoscope
