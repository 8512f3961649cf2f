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

/// Each does a stretch of the steps, with threads, memory and a kernel of its own; all write to one
/// sink. Where a GPU fails (CudaError) a warning says so, and the others do what it left: steps
/// that it had begun are written again. It is lost, unless it lacked memory alone. Not where voxels
/// are made or finished on devices: what was counted there is lost with it, and the run fails.
/// @param members  at least one  @param to_do  of the plan's steps  @throws as Executor::run.
SharedReport run_shared(std::vector<fftconv::Executor*> members, const fftconv::Plan& plan,
                        std::span<const fftconv::Term> terms, Epilogue& epilogue, Sink& sink,
                        const RunContext& context, const Stretches& to_do);

}  // namespace synthoscope::multigpu
