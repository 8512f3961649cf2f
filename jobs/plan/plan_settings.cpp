// SPDX-License-Identifier: MIT
#include "jobs/plan/plan_settings.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "imageio/input/text_file.hpp"
#include "jobs/machine/machine_cache.hpp"

namespace synthoscope::jobs {

namespace {

/// None where it does not fit.
template <class PlanNow>
std::optional<fftconv::Plan> plan_if_it_fits(PlanNow&& plan_now) {
  try {
    return plan_now();
  } catch (const PlanError&) {
    return std::nullopt;
  }
}

/// Host memory that measuring takes.
std::int64_t least_to_measure(const fftconv::Machine& machine) {
  const std::int64_t bytes = fftconv::kMeasuringBytes * 3 / 2;
  return machine.gpu ? std::max(bytes, cuda::kDeviceMeasuringBytes) : bytes;
}

}  // namespace

bool finish_before_gpu_starts(std::span<const fftconv::Plan> plans, std::int64_t times) {
  double seconds = 0;
  for (const fftconv::Plan& plan : plans) {
    const fftconv::Candidate* const chosen = plan.chosen();
    if (!chosen) return false;
    seconds += chosen->seconds;
  }
  return seconds * static_cast<double>(times) <= fftconv::device::kGpuStartSeconds;
}

std::filesystem::path PlanSettings::scratch_folder(const std::filesystem::path& output) const {
  if (!scratch.empty() && !std::filesystem::is_directory(scratch))
    throw InvalidSpec(fmt::format(
        "use --scratch {}: there is no such folder; create it, or give another", scratch.string()));
  if (!scratch.empty()) return scratch;
  return output.has_parent_path() ? output.parent_path() : std::filesystem::path{"."};
}

std::optional<fftconv::Plan> PlanSettings::given_plan() const {
  if (file.empty()) return std::nullopt;
  const fftconv::Plan plan = [&] {
    const std::string text = imageio::read_text(file);
    try {
      return fftconv::plan_from_json(text);
    } catch (const InvalidInput& wrong) {
      throw InvalidInput(fmt::format("run the plan of {}: {}", file.string(), wrong.what()));
    }
  }();
  if (strategy != fftconv::Strategy::automatic && plan.strategy != strategy)
    throw InvalidSpec(
        fmt::format("run the plan of {}: its strategy is {}, not {}; leave one of them out",
                    file.string(), name_of(plan.strategy), name_of(strategy)));
  return plan;
}

fftconv::Plan PlanSettings::plan_for(const fftconv::Problem& problem,
                                     const fftconv::Machine& machine,
                                     std::int64_t stage_bytes) const {
  const auto given = given_plan();
  if (!given) return plan_convolution(problem, machine, strategy, parts, stage_bytes);
  require_for(*given, problem);
  require_fits(*given, machine, stage_bytes);
  return *given;
}

fftconv::Plan PlanSettings::plan_on_this_machine(const fftconv::Problem& problem,
                                                 Workspace& workspace, GpuInUse& in_use,
                                                 const std::filesystem::path& folder,
                                                 std::int64_t held, std::int64_t stage_bytes,
                                                 std::int64_t runs) const {
  constexpr double kLongSeconds = 20;
  const auto plan_now = [&](bool with_gpu) {
    if (with_gpu) in_use.device();  // what CUDA takes of the host's memory is in use then
    const auto record = cached_record();
    auto machine = workspace.machine(record ? record->rates : fftconv::MachineRates{}, held);
    machine.fft = fft;
    if (with_gpu) in_use.offer_to(machine);
    if (machine.gpu) machine.gpu->start_is_paid = runs > 1;
    return plan_for(problem, machine, stage_bytes);
  };
  std::optional<fftconv::Plan> by_host;  // where there is a choice
  if (in_use.is_automatic() && file.empty())
    by_host = plan_if_it_fits([&] { return plan_now(false); });
  const bool for_host = fft && !runs_on_gpu(*fft) && in_use.is_automatic();
  if (by_host && (for_host || finish_before_gpu_starts({&*by_host, 1}, runs))) return *by_host;
  const std::size_t without_cuda = workspace.growth_reservations();
  const auto with_gpu = by_host ? plan_if_it_fits([&] { return plan_now(true); }) : plan_now(true);
  if (!with_gpu) {
    workspace.release_growth_after(without_cuda);
    return *by_host;
  }
  const fftconv::Plan& plan = *with_gpu;
  const fftconv::Candidate* const chosen = plan.chosen();
  if (cached_record() || dry_run || !file.empty() || !chosen || chosen->seconds < kLongSeconds ||
      plan.machine.host_bytes < least_to_measure(plan.machine))
    return plan;
  measure_and_record(workspace, in_use.device(), folder);
  return plan_now(true);
}

void PlanSettings::measure_and_record(Workspace& workspace, const cuda::DeviceInfo* device,
                                      const std::filesystem::path& folder) {
  const RunContext context = workspace.context();
  context.log.note(
      "measures this machine once, because the run is long; synthoscope devices shows the rates");
  const auto measured = measure_machine(folder, context);
  auto gpus = cached_gpus();
  if (device)
    for (MeasuredGpu& gpu : measure_gpus({{*device}, ""}, context)) {
      std::erase_if(gpus, [&](const MeasuredGpu& older) { return older.uuid == gpu.uuid; });
      gpus.push_back(std::move(gpu));
    }
  if (!keep_record(measured, gpus))
    context.log.note("the rates cannot be kept, because the cache folder cannot be written");
}

fftconv::Plan plan_of_unfinished(const imageio::UnfinishedRun& unfinished,
                                 const std::filesystem::path& output, const PlanSettings& choice,
                                 const fftconv::Machine& machine) {
  fftconv::Plan plan = fftconv::plan_from_json(unfinished.plan);
  if (!choice.file.empty() && choice.plan_for(plan.problem, machine) != plan)
    throw InvalidSpec(
        fmt::format("resume {}: the plan of {} is not the one it was begun with; leave out --plan, "
                    "or start over without --resume",
                    output.string(), choice.file.string()));
  if (plan.memory_bytes() > machine.host_bytes)
    throw PlanError(fmt::format(
        "resume {}: its plan needs {}, and {} are left of --memory; raise it, or start over "
        "without --resume",
        output.string(), print_bytes(plan.memory_bytes()), print_bytes(machine.host_bytes)));
  return plan;
}

}  // namespace synthoscope::jobs
