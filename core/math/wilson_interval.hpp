// SPDX-License-Identifier: MIT
// core/math/wilson_interval.hpp — how sure a share is that was counted.
#pragma once
#include <cstdint>

namespace synthoscope {

struct ShareInterval {
  double low = 0, high = 1;
};

/// Returns the interval that holds the true share with a probability of 95 %, if `found` of `all`
/// were found; 0 to 1 if `all` is 0.
/// @param found  0 to `all`
/// @source  Wilson, J. Am. Stat. Assoc. 22 (1927) 209, doi:10.1080/01621459.1927.10502953.
ShareInterval wilson_interval(std::int64_t found, std::int64_t all);

}  // namespace synthoscope
