// SPDX-License-Identifier: MIT
// python/arrays/kernel_call.hpp — what calls of the library's kernels have in common: threads,
// memory, and an end where the caller wants one.
#pragma once
#include <tbb/global_control.h>
#include <cstdint>
#include <optional>
#include <string>
#include "core/run/run_context.hpp"
#include "python/session/interruptible.hpp"

namespace synthoscope::python {

/// What a caller says about a call: threads, and bytes as parse_bytes takes them.
struct Asked {
  std::optional<int> workers;
  std::optional<std::string> memory;
};

/// What a call may take: what was asked for, or what calls usually take. Work of so few `seconds`
/// that another thread would come too late has one.
struct Allowed {
  Allowed(const Asked& asked, double seconds);
  int threads;
  bool exceeds_cores;  ///< which is the caller's choice
  std::int64_t memory_bytes;
};

/// Calls `work(context)` as run_interruptibly does.
/// @param seconds  that it is expected to take
/// @throws what `work` does
template <class Work>
void run_allowed(const Allowed& allowed, double seconds, const Work& work) {
  StopFlag stop;
  run_interruptibly(stop, seconds, [&] {
    std::optional<tbb::global_control> more;
    if (allowed.exceeds_cores)
      more.emplace(tbb::global_control::max_allowed_parallelism,
                   static_cast<std::size_t>(allowed.threads));
    TaskPool pool{allowed.threads};
    MemoryBudget memory{allowed.memory_bytes};
    NoProgress progress;
    NoLog log;
    work(RunContext{pool, memory, progress, log, stop});
  });
}

/// The same within what was asked for. @param seconds  that one thread is expected to take
template <class Work>
void run_kernel(const Asked& asked, double seconds, const Work& work) {
  run_allowed(Allowed{asked, seconds}, seconds, work);
}

}  // namespace synthoscope::python
