// SPDX-License-Identifier: MIT
// python/interruptible.hpp — long work beside Python: other threads go on, and Ctrl-C stops it.
#pragma once
#include <nanobind/nanobind.h>
#include <chrono>
#include <future>
#include <utility>
#include "core/stop.hpp"

namespace synthoscope::python {

/// Calls `work`, which is expected to take `seconds`, without the interpreter's lock. Where that is
/// long it has a thread of its own: where a signal's handler raises meanwhile, as that of Ctrl-C
/// does, `stop` is set and the exception goes on once `work` has ended. @throws what `work` does
template <class Work>
void run_interruptibly(StopFlag& stop, double seconds, Work&& work) {
  constexpr double kShort = 0.01;
  if (seconds < kShort) {
    const nanobind::gil_scoped_release unlocked;
    work();
    return;
  }
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  auto done = std::async(std::launch::async, std::forward<Work>(work));
  const auto is_done = [&](auto&& wait) {
    const nanobind::gil_scoped_release unlocked;
    return wait() == std::future_status::ready;
  };
  while (!is_done([&] { return done.wait_for(kBetweenLooks); })) {
    if (PyErr_CheckSignals() == 0) continue;
    nanobind::python_error raised;
    stop.request();
    {
      const nanobind::gil_scoped_release unlocked;
      done.wait();
    }
    throw raised;
  }
  done.get();
}

}  // namespace synthoscope::python
