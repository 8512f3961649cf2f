// SPDX-License-Identifier: MIT
// core/volume/interval.hpp — consecutive positions of an axis, or consecutive planes.
#pragma once
#include <cstdint>

namespace synthoscope {

struct Interval {
  std::int64_t first = 0, count = 0;
  [[nodiscard]] std::int64_t end() const { return first + count; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace synthoscope
