// SPDX-License-Identifier: MIT
// core/volume/stretches.hpp — a set of numbers that mostly follow each other, such as the steps of
// a run.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/stretch.hpp"

namespace synthoscope {

/// A set of integers as ascending stretches that neither overlap nor touch.
class Stretches {
 public:
  Stretches() = default;
  explicit Stretches(const Stretch& numbers) { add(numbers); }

  /// Numbers that are there already change nothing.
  void add(const Stretch& numbers);
  void add(const Stretches& numbers);

  [[nodiscard]] const std::vector<Stretch>& all() const { return stretches_; }
  [[nodiscard]] std::int64_t count() const;
  /// Those that `others` does not hold.
  [[nodiscard]] Stretches without(const Stretches& others) const;
  /// Returns `count` numbers, after the `first` smallest; fewer if there are no more.
  [[nodiscard]] Stretches some(std::int64_t first, std::int64_t count) const;
  /// One after the other.
  [[nodiscard]] std::vector<std::int64_t> numbers() const;

  friend bool operator==(const Stretches&, const Stretches&) = default;

 private:
  std::vector<Stretch> stretches_;
};

}  // namespace synthoscope
