// SPDX-License-Identifier: MIT
// core/volume/interval.hpp — consecutive positions of an axis, such as planes; and sets of integers
// that mostly follow each other, such as the steps of a run.
#pragma once
#include <cstdint>
#include <vector>

namespace synthoscope {

/// The integers [first, first + count).
struct Interval {
  std::int64_t first = 0, count = 0;
  [[nodiscard]] std::int64_t end() const { return first + count; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

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
