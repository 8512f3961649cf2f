// SPDX-License-Identifier: MIT
// simulator/phantom/strands/strand_count.hpp — numbers of strands and pieces, before any is made.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Numbers of the strands that objects consist of, and of their pieces.
struct StrandCount {
  std::int64_t strands = 0, pieces = 0;
};

}  // namespace synthoscope::simulator
