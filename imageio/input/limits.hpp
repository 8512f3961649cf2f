// SPDX-License-Identifier: MIT
// imageio/input/limits.hpp — how much a file may claim before we stop believing it.
#pragma once
#include <cstdint>
#include "core/run/memory_budget.hpp"

namespace synthoscope::imageio {

/// Each limit is raised by the option its error names.
struct InputLimits {
  std::int64_t directories = std::int64_t{1} << 20;         ///< --max-directories
  std::int64_t axis = std::int64_t{1} << 20;                ///< --max-axis, pixels
  std::int64_t channels = 1024;                             ///< --max-channels
  double declared_to_file_ratio = 10'000;                   ///< --max-ratio, above 1 GiB
  std::int64_t description_bytes = std::int64_t{64} << 20;  ///< --max-description
  MemoryBudget* memory = nullptr;  ///< counts what parsing takes, unless null
};

}  // namespace synthoscope::imageio
