// SPDX-License-Identifier: MIT
// tools/options/gpu.hpp — options of every command that may use GPUs.
#pragma once
#include "jobs/machine/gpu_in_use.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

struct GpuOptions : jobs::GpuChoice {
  bool may_fall_back = false;  ///< what that does: tools/machine/cpu_fallback

  void describe(OptionTable& table);
};

}  // namespace synthoscope::tools
