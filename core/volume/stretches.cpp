// SPDX-License-Identifier: MIT
#include "core/volume/stretches.hpp"
#include <algorithm>

namespace synthoscope {

void Stretches::add(const Stretch& numbers) {
  if (numbers.count <= 0) return;
  const auto touched =
      std::partition_point(stretches_.begin(), stretches_.end(),
                           [&](const Stretch& s) { return s.end() < numbers.first; });
  auto behind = touched;
  std::int64_t first = numbers.first, end = numbers.end();
  for (; behind != stretches_.end() && behind->first <= numbers.end(); ++behind) {
    first = std::min(first, behind->first);
    end = std::max(end, behind->end());
  }
  stretches_.insert(stretches_.erase(touched, behind), Stretch{first, end - first});
}

void Stretches::add(const Stretches& numbers) {
  for (const Stretch& stretch : numbers.stretches_) add(stretch);
}

std::int64_t Stretches::count() const {
  std::int64_t count = 0;
  for (const Stretch& stretch : stretches_) count += stretch.count;
  return count;
}

Stretches Stretches::without(const Stretches& others) const {
  Stretches left;
  for (const Stretch& stretch : stretches_) {
    std::int64_t first = stretch.first;
    for (const Stretch& other : others.stretches_) {
      left.add({first, std::min(stretch.end(), other.first) - first});
      first = std::max(first, other.end());
    }
    left.add({first, stretch.end() - first});
  }
  return left;
}

Stretches Stretches::some(std::int64_t first, std::int64_t count) const {
  Stretches some;
  for (const Stretch& stretch : stretches_) {
    const std::int64_t passed = std::clamp<std::int64_t>(first, 0, stretch.count);
    const std::int64_t taken = std::clamp<std::int64_t>(count, 0, stretch.count - passed);
    some.add({stretch.first + passed, taken});
    first -= passed;
    count -= taken;
  }
  return some;
}

std::vector<std::int64_t> Stretches::numbers() const {
  std::vector<std::int64_t> numbers;
  for (const Stretch& stretch : stretches_)
    for (std::int64_t n = stretch.first; n < stretch.end(); ++n) numbers.push_back(n);
  return numbers;
}

}  // namespace synthoscope
