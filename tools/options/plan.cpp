// SPDX-License-Identifier: MIT
#include "tools/options/plan.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

using fftconv::Strategy;

void PlanOptions::describe(OptionTable& table) {
  table.group("Plan");
  table.add(choice_row("strategy", strategy,
                       {Strategy::automatic, Strategy::in_core, Strategy::ring, Strategy::tiles,
                        Strategy::parts, Strategy::direct, Strategy::separable},
                       "how the work is divided, or direct sums without transforms; a strategy "
                       "that cannot be used is an error with the reason"));
  table.add(whole_row("parts", "R", parts, 0,
                      "number of frequency parts for strategy parts; 0: automatic"));
  table.add(
      path_row("plan", "FILE", file, "use the plan in this file, as printed by --dry-run --json"));
  table.add(path_row(
      "scratch", "DIR", scratch,
      "folder for temporary data that do not fit in memory; default: the folder of the output"));
  table.add(switch_row("dry-run", dry_run, "print the plan and stop; nothing is written"));
  table.add(switch_row("explain", explain, "explain on standard error what is done and why"));
  gpu.describe(table);
}

}  // namespace synthoscope::tools
