// SPDX-License-Identifier: MIT
// simulator/base/range.hpp — the values that a number of a scene may have.
#pragma once
#include <optional>
#include <string>

namespace synthoscope::simulator {

/// From `low` (or above it, if `open`) to `high`.
struct Range {
  double low = 0, high = 0;
  bool open = false;
  [[nodiscard]] bool holds(double value) const {
    return (open ? value > low : value >= low) && value <= high;
  }
  [[nodiscard]] std::string words() const;  ///< "0 to 1", "above 0 up to 1e+06"
};

inline constexpr std::nullopt_t kAny = std::nullopt;  ///< no range
inline constexpr double kHuge = 1e6;                  ///< for lengths in um
inline constexpr double kUnbounded = 0x1p63;          ///< no integer is larger

}  // namespace synthoscope::simulator
