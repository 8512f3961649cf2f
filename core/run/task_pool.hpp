// SPDX-License-Identifier: MIT
// core/run/task_pool.hpp — a fixed number of threads and loops over them, on oneTBB.
#pragma once
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <cstdint>
#include <mutex>
#include <utility>
#include "core/run/stop.hpp"

namespace synthoscope {

/// Threads that a run may use. Several threads may have loops done at once; they share these.
/// Which thread does an item is not defined: a body's result must depend on its item alone, so that
/// it does not depend on the number of threads.
class TaskPool {
 public:
  /// @throws InvalidSpec if `threads` < 1.
  explicit TaskPool(int threads);
  [[nodiscard]] int threads() const { return threads_; }

  /// Calls `body(i)` for 0 <= i < count and waits. An exception in a body stops the loop and is
  /// rethrown here. All bodies share the StopScope of the caller.
  /// @throws Interrupted  a stop was requested before the last item began
  template <class Body>
  void for_each(std::int64_t count, Body&& body) {
    loop(count, StopScope::current(), body);
  }

  /// The same, but no stop ends it: for a step that must be whole once it has begun.
  template <class Body>
  void finish_each(std::int64_t count, Body&& body) {
    loop(count, nullptr, body);
  }

  /// Calls `body(begin, end)` for consecutive ranges of at most `grain` items and waits. Ranges
  /// are the same for every number of threads: multiples of `grain`.
  template <class Body>
  void for_ranges(std::int64_t count, std::int64_t grain, Body&& body) {
    for_each((count + grain - 1) / grain, [&](std::int64_t range) {
      const std::int64_t begin = range * grain;
      body(begin, std::min(begin + grain, count));
    });
  }

  /// Number of the calling thread within a loop of this pool, 0 <= slot < threads().
  [[nodiscard]] static int slot() { return tbb::this_task_arena::current_thread_index(); }

 private:
  template <class Body>
  void loop(std::int64_t count, const StopFlag* stop, Body& body) {
    // oneTBB lets two callers into an arena of one
    std::unique_lock turn{alone_, std::defer_lock};
    if (threads_ == 1) turn.lock();
    const auto item = [&](std::int64_t i) {
      const StopScope lent{stop};
      stop_point();
      body(i);
    };
    arena_.execute(
        [&] { tbb::parallel_for(std::int64_t{0}, count, item, tbb::simple_partitioner{}); });
  }

  int threads_;
  tbb::task_arena arena_;
  std::recursive_mutex alone_;  ///< a loop inside a loop is the same thread's
};

/// Returns the number of cores that this process may use, by the affinity of the calling thread and
/// the quota of its control groups; at least 1.
int available_threads();

}  // namespace synthoscope
