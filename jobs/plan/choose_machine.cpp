// SPDX-License-Identifier: MIT
#include "jobs/plan/choose_machine.hpp"
#include "core/base/error.hpp"
#include "jobs/machine/machine_cache.hpp"
#include "jobs/plan/plan_settings.hpp"

namespace synthoscope::jobs {

ChosenMachine choose_machine(Workspace& workspace, GpuInUse& gpu,
                             std::optional<fftconv::FftLibrary> fft, std::int64_t times,
                             bool is_given, const MakePlans& make_plans) {
  const auto record = cached_record();
  ChosenMachine host{
      {workspace.context().memory.limit(), 0, record ? record->rates : fftconv::MachineRates{}},
      {}};
  host.machine.has_fftw = is_here(fftconv::FftLibrary::fftw);
  if (gpu.is_automatic() && fft && !runs_on_gpu(*fft)) return host;
  bool host_can = false;
  if (gpu.is_automatic() && !is_given) try {
      if (finish_before_gpu_starts(make_plans(host.machine), times)) return host;
      host_can = true;
    } catch (const PlanError&) {  // a GPU may need less memory of the host
    }
  const std::size_t without_cuda = workspace.growth_reservations();
  ChosenMachine both = host;
  gpu.offer_to(both.machine);
  workspace.count_growth();
  if (!both.machine.gpu) return both;
  if (host_can) try {
      static_cast<void>(make_plans(both.machine));
    } catch (const PlanError&) {  // CUDA leaves too little of the memory
      workspace.release_growth_after(without_cuda);
      return host;
    }
  both.devices = gpu.devices();
  return both;
}

}  // namespace synthoscope::jobs
