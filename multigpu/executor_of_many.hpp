// SPDX-License-Identifier: MIT
// multigpu/executor_of_many.hpp — one run done by several executors at once.
#pragma once
#include <memory>
#include <vector>
#include "fftconv/executor.hpp"
#include "multigpu/parts_of_many.hpp"

namespace synthoscope::multigpu {

/// Shares out the steps of a plan (fftconv/plan/cuts/turn_steps.hpp): every member does a stretch
/// of them, with threads, memory and a kernel of its own, and all write to one sink. The result has
/// the bits that one member alone makes of the plan.
///
/// A GPU that is lost is used no more, and the others do what it left (shared_run.hpp). Plans in
/// parts that devices fold have no steps: `in_parts` shares their parts out.
///
/// One member does it all, and a note says why, where the plan has a single step, the sink wants
/// planes in order, or --memory has room for no more.
///
/// @param members   at least one; they run the same plans
/// @param in_parts  by the same devices; null: one member does such plans
[[nodiscard]] std::unique_ptr<fftconv::Executor> make_executor_of_many(
    std::vector<std::unique_ptr<fftconv::Executor>> members,
    std::unique_ptr<PartsOfMany> in_parts = nullptr);

}  // namespace synthoscope::multigpu
