// SPDX-License-Identifier: MIT
#include "multigpu/joined.hpp"
#include <algorithm>
#include "core/base/stopwatch.hpp"

namespace synthoscope::multigpu {

using fftconv::RunReport;

void merge_concurrent_report(RunReport& all, const RunReport& one) {
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

void append_report(RunReport& all, const RunReport& next) {
  if (all.instruction_set.empty()) all.instruction_set = next.instruction_set;
  if (all.fft.empty()) all.fft = next.fft;
  all.seconds += next.seconds;
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, next.peak_memory_bytes);
  all.peak_device_bytes = std::max(all.peak_device_bytes, next.peak_device_bytes);
  for (const auto& [name, seconds] : next.stages) add_stage(all.stages, name, seconds);
}

}  // namespace synthoscope::multigpu
