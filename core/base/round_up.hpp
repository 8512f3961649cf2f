// SPDX-License-Identifier: MIT
// core/base/round_up.hpp — whole parts of a number, and the next multiple of one.
#pragma once

namespace synthoscope {

/// How many parts of at most `part`, which is positive, `whole` has. Their sum must be within T.
template <class T>
constexpr T parts_of(T whole, T part) {
  return (whole + part - 1) / part;
}

/// The least multiple of `multiple`, which is positive, that is no less than `n`, which is not
/// negative. Their sum must be within T.
template <class T>
constexpr T round_up(T n, T multiple) {
  return parts_of(n, multiple) * multiple;
}

}  // namespace synthoscope
