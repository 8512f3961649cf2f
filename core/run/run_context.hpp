// SPDX-License-Identifier: MIT
// core/run/run_context.hpp — what every long computation is given: threads, memory, progress, log,
// stop.
#pragma once
#include "core/base/log.hpp"
#include "core/base/progress.hpp"
#include "core/run/checkpoint.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"

namespace synthoscope {

/// Holds references only; the caller owns what they refer to.
struct RunContext {
  TaskPool& pool;
  MemoryBudget& memory;
  Progress& progress;
  Log& log;
  const StopFlag& stop;
  Checkpoint* checkpoint = nullptr;  ///< null: the run is done whole or not at all
};

/// Returns which of the `all` steps of a run remain: all of them if steps are not recorded.
inline IntervalSet steps_to_do(const RunContext& context, std::int64_t all) {
  return context.checkpoint ? context.checkpoint->to_do(all) : IntervalSet{{0, all}};
}

/// Checkpoint::finish where steps are recorded. @throws IoError
inline void finish_step(const RunContext& context, std::int64_t step) {
  if (context.checkpoint) context.checkpoint->finish(IntervalSet{{step, 1}});
}

/// The same with another listener.
inline RunContext with_progress(Progress& progress, const RunContext& context) {
  return {context.pool, context.memory, progress, context.log, context.stop, context.checkpoint};
}

}  // namespace synthoscope
