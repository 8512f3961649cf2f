// SPDX-License-Identifier: MIT
#include "tools/plan_options.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "fftconv/plan_file.hpp"
#include "tools/machine_cache.hpp"
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

std::optional<fftconv::Plan> PlanOptions::given_plan() const {
  if (file.empty()) return std::nullopt;
  fftconv::Plan plan = fftconv::plan_from_json(read_text(file));
  if (strategy != Strategy::automatic && plan.strategy != strategy)
    throw InvalidSpec(fmt::format("run the plan of {}: its strategy is {}, not {}; leave out one",
                                  file.string(), name_of(plan.strategy), name_of(strategy)));
  return plan;
}

fftconv::Plan PlanOptions::plan_for(const fftconv::Problem& problem,
                                    const fftconv::Machine& machine,
                                    std::int64_t stage_bytes) const {
  const auto given = given_plan();
  if (!given) return plan_convolution(problem, machine, strategy, parts, stage_bytes);
  require_for(*given, problem);
  require_fits(*given, machine, stage_bytes);
  return *given;
}

fftconv::Plan PlanOptions::plan_here(const fftconv::Problem& problem, Session& session,
                                     const std::filesystem::path& folder, std::int64_t held,
                                     std::int64_t stage_bytes) const {
  constexpr double kLongSeconds = 20;
  const auto record = cached_record();
  fftconv::Machine machine =
      session.machine(record ? record->rates : fftconv::MachineRates{}, held);
  fftconv::Plan plan = plan_for(problem, machine, stage_bytes);
  const auto chosen =
      std::find_if(plan.candidates.begin(), plan.candidates.end(),
                   [](const fftconv::Candidate& c) { return c.verdict == "chosen"; });
  if (record || dry_run || !file.empty() || chosen == plan.candidates.end() ||
      chosen->seconds < kLongSeconds || machine.host_bytes < fftconv::kMeasuringBytes * 3 / 2)
    return plan;

  const RunContext context = session.context();
  context.log.note(
      "measures this machine once, because the run is long; synthoscope devices shows the rates");
  const auto measured = measure_machine(folder, context);
  if (!keep_record(measured, cached_gpus()))
    context.log.note("the rates cannot be kept, because the cache folder cannot be written");
  machine.rates = measured.rates;
  return plan_for(problem, machine, stage_bytes);
}

}  // namespace synthoscope::tools
