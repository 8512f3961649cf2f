// SPDX-License-Identifier: MIT
// core/run/hand_out.hpp — distributes items of work over workers.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#include "core/run/stop.hpp"

namespace synthoscope {

/// Calls `body(worker, item)` for every item, 0 <= item < items, on at most `workers` threads; the
/// caller is worker 0. Each worker takes the next item when it is free. All workers share the
/// StopScope of the caller. Waits for all. After a failure no further item is started, and
/// `on_failure` may end the items that are under way.
/// @throws what the first failed item threw
template <class Body, class OnFailure>
void hand_out(std::int64_t items, std::size_t workers, Body&& body, OnFailure&& on_failure) {
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto fail = [&] {
    const std::scoped_lock lock{mutex};
    next = items;
    if (failure) return;
    failure = std::current_exception();
    on_failure();
  };
  const StopFlag* const stop = StopScope::current();
  const auto work = [&](std::size_t worker) {
    const StopScope lent{stop};
    try {
      for (std::int64_t item = next++; item < items; item = next++) body(worker, item);
    } catch (...) {
      fail();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(workers);  // once a thread runs, nothing may throw
  try {
    while (threads.size() + 1 < workers) threads.emplace_back(work, threads.size() + 1);
  } catch (const std::exception&) {  // those that there are do all
  }
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}
template <class Body>
void hand_out(std::int64_t items, std::size_t workers, Body&& body) {
  hand_out(items, workers, body, [] {});
}

}  // namespace synthoscope
