// SPDX-License-Identifier: MIT
#include "multigpu/joined.hpp"
#include <algorithm>

namespace synthoscope::multigpu {

void join(fftconv::RunReport& all, const fftconv::RunReport& one) {
  if (all.stages.empty()) {
    all = one;
    return;
  }
  all.seconds = std::max(all.seconds, one.seconds);
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, one.peak_memory_bytes);
  all.peak_device_bytes = std::max(all.peak_device_bytes, one.peak_device_bytes);
  for (const auto& [name, seconds] : one.stages)
    for (auto& [known, longest] : all.stages)
      if (known == name) longest = std::max(longest, seconds);
}

}  // namespace synthoscope::multigpu
