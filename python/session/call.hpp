// SPDX-License-Identifier: MIT
// python/session/call.hpp — common code of calls: signals, threads, memory, and plans remembered
// between calls.
#pragma once
#include <nanobind/nanobind.h>
#include <tbb/global_control.h>
#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include "core/run/run_context.hpp"
#include "core/run/stop.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::python {

/// Calls `work` on another thread, without the interpreter's lock, and waits; meanwhile calls
/// `look` some twenty times a second, with the lock. If `look` or a signal handler raises, as for
/// Ctrl-C, `stop` is set, and the exception is rethrown once `work` has ended.
/// @throws what `work` and `look` do
template <class Work, class Look>
void run_watched(StopFlag& stop, Work&& work, Look&& look) {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  auto done = std::async(std::launch::async, std::forward<Work>(work));
  const auto is_done = [&](auto&& wait) {
    const nanobind::gil_scoped_release unlocked;
    return wait() == std::future_status::ready;
  };
  while (!is_done([&] { return done.wait_for(kBetweenLooks); })) try {
      if (PyErr_CheckSignals() != 0) nanobind::raise_python_error();
      look();
    } catch (...) {
      stop.request();
      {
        const nanobind::gil_scoped_release unlocked;
        done.wait();
      }
      throw;
    }
  done.get();
}

/// Calls `work`, which is expected to take `seconds`, without the interpreter's lock. Where that is
/// long a signal's handler may end it, as in run_watched. @throws what `work` does
template <class Work>
void run_interruptibly(StopFlag& stop, double seconds, Work&& work) {
  constexpr double kShort = 0.01;
  if (seconds >= kShort) return run_watched(stop, std::forward<Work>(work), [] {});
  const nanobind::gil_scoped_release unlocked;
  work();
}

/// As plan_convolution with a strategy that is wanted; the last few are remembered: loops convolve
/// the same shapes again and again. @param is_new  if it is not null, whether the plan was made now
/// @throws as plan_convolution
fftconv::Plan remembered_plan(const fftconv::Problem& problem, const fftconv::Machine& machine,
                              fftconv::Strategy wanted, bool* is_new = nullptr);

/// What a call may take where it does not say; looked up once a second, with the interpreter's
/// lock.
struct Allowance {
  int threads = 1;                ///< as many as there are cores
  std::int64_t memory_bytes = 0;  ///< 70 % of what is free, in steps: plans serve from call to call
};
Allowance usual_allowance();

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
