// SPDX-License-Identifier: MIT
// core/run_context.hpp — what every long computation is handed: threads, memory, and who listens.
#pragma once
#include "core/checkpoint.hpp"
#include "core/log.hpp"
#include "core/memory_budget.hpp"
#include "core/progress.hpp"
#include "core/stop.hpp"
#include "core/task_pool.hpp"

namespace synthoscope {

/// References only; whoever composes the program owns what they refer to.
struct RunContext {
  TaskPool& pool;
  MemoryBudget& memory;
  Progress& progress;
  Log& log;
  const StopFlag& stop;
  Checkpoint* checkpoint = nullptr;  ///< null: the run is done whole or not at all
};

/// Steps that earlier runs finished; 0 where none are recorded.
inline std::int64_t finished_steps(const RunContext& context) {
  return context.checkpoint ? context.checkpoint->finished_steps() : 0;
}

/// Checkpoint::finish where steps are recorded. @throws IoError
inline void finish_steps(const RunContext& context, std::int64_t steps) {
  if (context.checkpoint) context.checkpoint->finish(steps);
}

/// The same with another listener.
inline RunContext listened_by(Progress& progress, const RunContext& context) {
  return {context.pool, context.memory, progress, context.log, context.stop, context.checkpoint};
}

}  // namespace synthoscope
