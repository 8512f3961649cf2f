// SPDX-License-Identifier: MIT
// core/volume/stretch.hpp — consecutive positions of an axis, or consecutive planes.
#pragma once
#include <cstdint>

namespace synthoscope {

struct Stretch {
  std::int64_t first = 0, count = 0;
  [[nodiscard]] std::int64_t end() const { return first + count; }
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

}  // namespace synthoscope
