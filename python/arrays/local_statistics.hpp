// SPDX-License-Identifier: MIT
// python/arrays/local_statistics.hpp — mean and variance of neighbourhoods, as Python asks for
// them.
#pragma once
#include <array>
#include <string>
#include <vector>
#include "kernels/variance/local_variance.hpp"

namespace synthoscope::python {

/// @param sizes  (z, y, x) of each window
/// @throws InvalidSpec  no such window, or no such boundary.
kernels::LocalVarianceSpec mean_and_variance(const std::string& window,
                                             const std::vector<std::array<double, 3>>& sizes,
                                             const std::string& boundary);

}  // namespace synthoscope::python
