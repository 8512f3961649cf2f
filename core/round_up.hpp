// SPDX-License-Identifier: MIT
// core/round_up.hpp — the next multiple of a number.
#pragma once

namespace synthoscope {

/// The least multiple of `multiple`, which is positive, that is no less than `n`, which is not
/// negative. Their sum must be within T.
template <class T>
constexpr T round_up(T n, T multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

}  // namespace synthoscope
