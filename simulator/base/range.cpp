// SPDX-License-Identifier: MIT
#include "simulator/base/range.hpp"
#include <fmt/format.h>
#include <cmath>

namespace synthoscope::simulator {

std::string Range::words() const {
  if (high >= kUnbounded) return fmt::format("{} or more", low);
  // Powers of ten are easier to read as 1e9 than as zeros
  const auto end = [](double value) {
    const double size = std::abs(value);
    const int exponent = size >= 1e4 ? static_cast<int>(std::lround(std::log10(size))) : 0;
    return exponent > 0 && std::pow(10.0, exponent) == size
               ? fmt::format("{}1e{}", value < 0 ? "-" : "", exponent)
               : fmt::format("{}", value);
  };
  return open ? fmt::format("above {} up to {}", low, end(high))
              : fmt::format("{} to {}", end(low), end(high));
}

}  // namespace synthoscope::simulator
