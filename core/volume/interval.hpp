// SPDX-License-Identifier: MIT
// core/volume/interval.hpp — consecutive positions of an axis, such as planes.
#pragma once
#include <cstdint>

namespace synthoscope {

/// The integers [first, first + count).
struct Interval {
  std::int64_t first = 0, count = 0;
  [[nodiscard]] std::int64_t end() const { return first + count; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace synthoscope
