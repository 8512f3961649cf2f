// SPDX-License-Identifier: MIT
// multigpu/executor_of_many.hpp — one run done by several executors at once.
#pragma once
#include <memory>
#include <vector>
#include "fftconv/executor.hpp"
#include "multigpu/parts_of_many.hpp"

namespace synthoscope::multigpu {

/// Distributes the steps of a plan (fftconv/plan/cuts/ring_turns.hpp): every member does a range of
/// them, with its own threads, memory and kernel, and all write to one sink. The result has the
/// bits of a single member's.
///
/// A GPU that fails is not used again, and the others do its remaining steps (shared_run.hpp).
/// Plans in parts that devices fold have no steps: `in_parts` distributes their parts.
///
/// One member does everything, and a note says why, if the plan has a single step, if the sink
/// wants planes in order, or if --memory has no space for more.
///
/// @param members   at least one; they run the same plans
/// @param in_parts  on the same devices; null: one member does such plans
[[nodiscard]] std::unique_ptr<fftconv::Executor> make_executor_of_many(
    std::vector<std::unique_ptr<fftconv::Executor>> members,
    std::unique_ptr<PartsOfMany> in_parts = nullptr);

}  // namespace synthoscope::multigpu
