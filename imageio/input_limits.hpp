// SPDX-License-Identifier: MIT
// imageio/input_limits.hpp — how much a file may claim before we stop believing it.
#pragma once
#include <cstdint>

namespace synthoscope::imageio {

/// Each limit is raised by the option its error names.
struct InputLimits {
  std::int64_t directories = std::int64_t{1} << 20;
  std::int64_t axis = std::int64_t{1} << 20;  ///< pixels along one axis
  std::int64_t channels = 1024;
  double declared_to_file_ratio = 10'000;  ///< applies above 1 GiB declared
  std::int64_t description_bytes = std::int64_t{64} << 20;
};

}  // namespace synthoscope::imageio
