// SPDX-License-Identifier: MIT
// tools/options/work.hpp — options about how work is done: by which plan, on which GPUs, shared
// among which processes.
#pragma once
#include <optional>
#include <string>
#include "core/volume/shard.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "jobs/plan/plan_settings.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

struct GpuOptions : jobs::GpuChoice {
  bool may_fall_back = false;  ///< what that does: tools/machine/cpu_fallback

  void describe(OptionTable& table);
  /// Adds which GPUs and how much memory of them.
  void describe_choice(OptionTable& table);
};

struct PlanOptions : jobs::PlanSettings {
  bool explain = false;
  GpuOptions gpu;

  void describe(OptionTable& table);
  /// Adds all but --plan and --parts: for a command that makes several plans.
  void describe_for_several(OptionTable& table);

 private:
  void describe_strategy(OptionTable& table);
  void describe_rest(OptionTable& table);
};

struct ShardOptions {
  std::optional<Shard> shard;

  /// `what` the option asks for, up to what `auto` is.
  void describe(OptionTable& table, const std::string& what);
};

}  // namespace synthoscope::tools
