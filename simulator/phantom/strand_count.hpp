// SPDX-License-Identifier: MIT
// simulator/phantom/strand_count.hpp — how much there is of strands, before any is made.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// How many strands objects consist of, and of how many pieces.
struct StrandCount {
  std::int64_t strands = 0, pieces = 0;
};

}  // namespace synthoscope::simulator
