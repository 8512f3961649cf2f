// SPDX-License-Identifier: MIT
// kernels/device/code/strips.hpp — divides an axis among windows that slide along it.
#pragma once
#include <cstdint>

namespace synthoscope::kernels::device {

/// Results along an axis, and the windows that share them.
struct Sliding {
  std::int64_t results = 1;
  std::int64_t beside = 1;   ///< windows next to each other, each with a whole axis
  std::int64_t at_once = 1;  ///< windows that the device runs at once
  std::int64_t reach = 1;    ///< weights: a window makes reach - 1 steps before its first result
  std::int64_t most = 512;   ///< results of a strip at most
};

/// Returns the results of a strip that need the fewest steps: rounds of windows times their steps.
std::int64_t strip_of(const Sliding& sliding);

}  // namespace synthoscope::kernels::device
