// SPDX-License-Identifier: MIT
// kernels/device/strips.hpp — how an axis is parted among windows that slide along it.
#pragma once
#include <cstdint>

namespace synthoscope::kernels::device {

/// An axis with so many results; windows that may slide at once; and what each does beside.
struct Sliding {
  std::int64_t results = 1;
  std::int64_t beside = 1;   ///< windows side by side, each with all of the axis to itself
  std::int64_t at_once = 1;  ///< windows that a device has room for
  std::int64_t reach = 1;    ///< weights: a window makes reach - 1 steps before its first result
  std::int64_t most = 512;   ///< results of a strip at most
};

/// Results of a strip: as few steps in all as may be, rounds of windows times their steps.
std::int64_t strip_of(const Sliding& sliding);

}  // namespace synthoscope::kernels::device
