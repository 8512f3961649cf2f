// SPDX-License-Identifier: MIT
// tools/options/plan.hpp — options of every command that plans a convolution.
#pragma once
#include "jobs/plan/plan_settings.hpp"
#include "tools/options/gpu.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

struct PlanOptions : jobs::PlanSettings {
  bool explain = false;
  GpuOptions gpu;

  void describe(OptionTable& table);
};

}  // namespace synthoscope::tools
