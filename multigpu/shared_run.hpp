// SPDX-License-Identifier: MIT
// multigpu/shared_run.hpp — the steps of one run, done by several executors at once.
#pragma once
#include <span>
#include <vector>
#include "fftconv/executor.hpp"

namespace synthoscope::multigpu {

/// What a shared run did.
struct SharedReport {
  fftconv::RunReport run;                ///< of all members that came to their end
  std::vector<fftconv::Executor*> lost;  ///< members that are to be used no more
};

/// Each member does a range of the steps, with its own threads, memory and kernel; all write to one
/// sink. If a GPU fails (CudaError), a warning says so, and the others do its remaining steps;
/// steps that it had begun are written again. It is not used again unless it only lacked memory. If
/// voxels are made or finished on devices, their counts are lost with the device, and the run
/// fails.
/// @param members  at least one
/// @param to_do  steps of the plan
/// @throws as Executor::run.
SharedReport run_shared(std::vector<fftconv::Executor*> members, const fftconv::Plan& plan,
                        std::span<const fftconv::Term> terms, Epilogue& epilogue, Sink& sink,
                        const RunContext& context, const IntervalSet& to_do);

}  // namespace synthoscope::multigpu
