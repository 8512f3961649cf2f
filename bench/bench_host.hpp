// SPDX-License-Identifier: MIT
// bench/bench_host.hpp — what a benchmark runs with on the host, and what it has to print.
#pragma once
#include <string>
#include "core/base/json.hpp"
#include "core/run/run_context.hpp"

namespace synthoscope::bench {

/// All threads and all memory that there are; nobody listens.
struct BenchHost {
  MemoryBudget host{available_memory_bytes()};
  TaskPool pool{available_threads()};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  RunContext context{pool, host, progress, log, stop};
  Json rows = Json::array();
  std::string table;
};

}  // namespace synthoscope::bench
