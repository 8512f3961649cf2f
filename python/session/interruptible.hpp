// SPDX-License-Identifier: MIT
// python/session/interruptible.hpp — long work without the interpreter's lock, which Ctrl-C stops.
#pragma once
#include <nanobind/nanobind.h>
#include <chrono>
#include <future>
#include <utility>
#include "core/run/stop.hpp"

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

}  // namespace synthoscope::python
