// SPDX-License-Identifier: MIT
// fftconv/cost.hpp — what transforms cost on the host, and which lengths are worth considering.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/layout.hpp"

namespace synthoscope::fftconv {

/// Nanoseconds per complex value of one transform of `length` (a product of 2, 3, 5, 7) in single
/// precision on one reference core. Relative costs decide; their unit only makes them readable.
double line_cost(std::int64_t length);

/// The few lengths >= `least` whose total cost is lowest, cheapest first; never empty.
std::vector<std::int64_t> candidate_lengths(std::int64_t least);

/// Predicted seconds of one reference core for a whole run.
double run_cost(const Layout& layout, const Problem& work, const Cut& cut);

}  // namespace synthoscope::fftconv
