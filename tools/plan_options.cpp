// SPDX-License-Identifier: MIT
#include "tools/plan_options.hpp"
#include <fmt/format.h>
#include "fftconv/plan_file.hpp"
#include "tools/option_rows.hpp"
#include "tools/result.hpp"

namespace synthoscope::tools {

using fftconv::Strategy;

void PlanOptions::describe(OptionTable& table) {
  table.group("Plan");
  table.add(choice_row("strategy", strategy,
                       {Strategy::automatic, Strategy::in_core, Strategy::ring, Strategy::tiles,
                        Strategy::parts, Strategy::direct, Strategy::separable},
                       "how the work is cut; one that this build cannot run is refused with the "
                       "reason"));
  table.add(whole_row("parts", "R", parts, 0, "frequency parts of strategy parts; 0: chosen"));
  table.add(path_row("plan", "FILE", file,
                     "run the plan of this file again, as --dry-run --json printed it"));
  table.add(path_row("scratch", "DIR", scratch,
                     "folder for intermediate data that does not fit memory; default: where the "
                     "output goes"));
  table.add(switch_row("dry-run", dry_run, "print the plan and stop; nothing is written"));
  table.add(switch_row("explain", explain, "say on standard error what is done and why"));
}

std::filesystem::path PlanOptions::scratch_folder(const std::filesystem::path& output) const {
  if (!scratch.empty()) return scratch;
  return output.has_parent_path() ? output.parent_path() : std::filesystem::path{"."};
}

fftconv::Plan PlanOptions::plan_for(const fftconv::Problem& problem,
                                    const fftconv::Machine& machine) const {
  if (file.empty()) return plan_convolution(problem, machine, strategy, parts);
  fftconv::Plan plan = fftconv::plan_from_json(read_text(file));
  fftconv::Problem asked = problem;  // other voxels cost other seconds, but the plan does as well
  asked.image_voxel_bytes = plan.problem.image_voxel_bytes;
  asked.result_voxel_bytes = plan.problem.result_voxel_bytes;
  if (plan.problem != asked)
    throw InvalidSpec(fmt::format(
        "run the plan of {}: it is for image {} with kernel {} and other options than "
        "these, which are {} with {}; make a new one with --dry-run --json",
        file.string(), plan.problem.image, plan.problem.kernel, problem.image, problem.kernel));
  if (strategy != Strategy::automatic && plan.strategy != strategy)
    throw InvalidSpec(fmt::format("run the plan of {}: its strategy is {}, not {}; leave out one",
                                  file.string(), name_of(plan.strategy), name_of(strategy)));
  return plan;
}

}  // namespace synthoscope::tools
