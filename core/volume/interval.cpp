// SPDX-License-Identifier: MIT
#include "core/volume/interval.hpp"
#include <algorithm>

namespace synthoscope {

void IntervalSet::add(const Interval& numbers) {
  if (numbers.count <= 0) return;
  const auto touched =
      std::partition_point(intervals_.begin(), intervals_.end(),
                           [&](const Interval& s) { return s.end() < numbers.first; });
  auto behind = touched;
  std::int64_t first = numbers.first, end = numbers.end();
  for (; behind != intervals_.end() && behind->first <= numbers.end(); ++behind) {
    first = std::min(first, behind->first);
    end = std::max(end, behind->end());
  }
  intervals_.insert(intervals_.erase(touched, behind), Interval{first, end - first});
}

void IntervalSet::add(const IntervalSet& numbers) {
  for (const Interval& stretch : numbers.intervals_) add(stretch);
}

std::int64_t IntervalSet::count() const {
  std::int64_t count = 0;
  for (const Interval& stretch : intervals_) count += stretch.count;
  return count;
}

IntervalSet IntervalSet::without(const IntervalSet& others) const {
  IntervalSet left;
  for (const Interval& stretch : intervals_) {
    std::int64_t first = stretch.first;
    for (const Interval& other : others.intervals_) {
      left.add({first, std::min(stretch.end(), other.first) - first});
      first = std::max(first, other.end());
    }
    left.add({first, stretch.end() - first});
  }
  return left;
}

IntervalSet IntervalSet::slice(std::int64_t first, std::int64_t count) const {
  IntervalSet some;
  for (const Interval& stretch : intervals_) {
    const std::int64_t passed = std::clamp<std::int64_t>(first, 0, stretch.count);
    const std::int64_t taken = std::clamp<std::int64_t>(count, 0, stretch.count - passed);
    some.add({stretch.first + passed, taken});
    first -= passed;
    count -= taken;
  }
  return some;
}

std::vector<std::int64_t> IntervalSet::numbers() const {
  std::vector<std::int64_t> numbers;
  for (const Interval& stretch : intervals_)
    for (std::int64_t n = stretch.first; n < stretch.end(); ++n) numbers.push_back(n);
  return numbers;
}

}  // namespace synthoscope
