// SPDX-License-Identifier: MIT
// fftconv/host/sums_run.hpp — one run of a plan that sums over the kernel.
#pragma once
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// Brick by brick; see Executor::run for what is written and thrown. The plan is one of is_by_sums
/// and belongs to the term.
RunReport run_sums(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                   const RunContext& context);

}  // namespace synthoscope::fftconv
