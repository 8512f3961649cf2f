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
                       "how the work is cut, or summed without transforms; one that cannot be "
                       "used is refused with the reason"));
  table.add(whole_row("parts", "R", parts, 0, "frequency parts of strategy parts; 0: chosen"));
  table.add(path_row("plan", "FILE", file,
                     "run the plan of this file again, as --dry-run --json printed it"));
  table.add(path_row("scratch", "DIR", scratch,
                     "folder for intermediate data that does not fit memory; default: where the "
                     "output goes"));
  table.add(switch_row("dry-run", dry_run, "print the plan and stop; nothing is written"));
  table.add(switch_row("explain", explain, "say on standard error what is done and why"));
  gpu.describe(table);
}

}  // namespace synthoscope::tools
