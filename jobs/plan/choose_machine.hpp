// SPDX-License-Identifier: MIT
// jobs/plan/choose_machine.hpp — whether several plans of one job run on the host or on GPUs.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/plan.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "jobs/machine/workspace.hpp"

namespace synthoscope::jobs {

/// A machine to plan for, and its GPUs; none if only the host is used.
struct ChosenMachine {
  fftconv::Machine machine;
  std::vector<cuda::DeviceInfo> devices;
};

/// Returns the machine with the GPUs that may be used, whose CUDA is started. Uses the recorded
/// rates of the machine. @throws as GpuInUse::device
ChosenMachine machine_with_gpus(Workspace& workspace, GpuInUse& gpu);

/// Makes all plans of a job for a machine. @throws PlanError  one does not fit.
using MakePlans = std::function<std::vector<fftconv::Plan>(const fftconv::Machine&)>;

/// Chooses the host if GPUs are optional and it would finish before a GPU has started, or if CUDA
/// leaves too little of the host's memory. Otherwise GPUs are started, and each plan runs on the
/// host only where it is faster than on a GPU that works already. Uses the recorded rates of the
/// machine.
/// @param fft       the only library of transforms that the plans use; none: any
/// @param times     how often each plan is run
/// @param is_given  the plans are given, so they say where they run
/// @throws as GpuInUse::device, and what `make_plans` throws for a reason other than memory
ChosenMachine choose_machine(Workspace& workspace, GpuInUse& gpu,
                             std::optional<fftconv::FftLibrary> fft, std::int64_t times,
                             bool is_given, const MakePlans& make_plans);

}  // namespace synthoscope::jobs
