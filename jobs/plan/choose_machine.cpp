// SPDX-License-Identifier: MIT
#include "jobs/plan/choose_machine.hpp"
#include "core/base/error.hpp"
#include "jobs/machine/machine_cache.hpp"
#include "jobs/plan/plan_settings.hpp"

namespace synthoscope::jobs {

namespace {

ChosenMachine host_machine(const Workspace& workspace) {
  const auto record = cached_record();
  ChosenMachine host{
      {workspace.context().memory.limit(), 0, record ? record->rates : fftconv::MachineRates{}},
      {}};
  host.machine.has_fftw = is_here(fftconv::FftLibrary::fftw);
  return host;
}

}  // namespace

ChosenMachine machine_with_gpus(Workspace& workspace, GpuInUse& gpu) {
  ChosenMachine both = host_machine(workspace);
  gpu.offer_to(both.machine);
  workspace.count_growth();
  if (both.machine.gpu) {
    both.devices = gpu.devices();
    both.machine.gpu->start_is_paid = true;
  }
  return both;
}

ChosenMachine choose_machine(Workspace& workspace, GpuInUse& gpu,
                             std::optional<fftconv::FftLibrary> fft, std::int64_t times,
                             bool is_given, const MakePlans& make_plans) {
  ChosenMachine host = host_machine(workspace);
  if (gpu.is_automatic() && fft && !runs_on_gpu(*fft)) return host;
  bool host_can = false;
  if (gpu.is_automatic() && !is_given) try {
      if (finish_before_gpu_starts(make_plans(host.machine), times)) return host;
      host_can = true;
    } catch (const PlanError&) {  // a GPU may need less memory of the host
    }
  const std::size_t without_cuda = workspace.growth_reservations();
  ChosenMachine both = machine_with_gpus(workspace, gpu);
  if (!both.machine.gpu) return both;
  if (host_can) try {
      static_cast<void>(make_plans(both.machine));
    } catch (const PlanError&) {  // CUDA leaves too little of the memory
      workspace.release_growth_after(without_cuda);
      return host;
    }
  return both;
}

}  // namespace synthoscope::jobs
