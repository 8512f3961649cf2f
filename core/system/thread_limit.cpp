// SPDX-License-Identifier: MIT
#include "core/system/thread_limit.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"

namespace synthoscope {
namespace {

/// Holds all threads until the last one is there. @returns how many of `wanted` could be started,
/// and why no more
std::pair<int, std::error_code> start_together(int wanted) {
  std::latch release{1};
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(wanted));
  std::error_code failure;
  try {
    for (int i = 0; i < wanted; ++i) threads.emplace_back([&] { release.wait(); });
  } catch (const std::system_error& error) {
    failure = error.code();
  }
  release.count_down();
  for (std::thread& thread : threads) thread.join();
  return {static_cast<int>(threads.size()), failure};
}

}  // namespace

void require_threads(int threads) {
  static std::mutex mutex;
  static int proved = 1;
  const std::lock_guard lock{mutex};
  // The thread library keeps those that it started for earlier calls
  const auto [more, failure] = start_together(std::max(0, threads - proved));
  if (failure)
    throw PlanError(fmt::format(
        "start {} threads: the system allows {} ({}); lower --threads, or {}", threads,
        proved + more, failure.message(),
        remedy_of(failure.value(), "raise the limit of processes and threads (ulimit -u)")));
  proved = std::max(proved, threads);
}

}  // namespace synthoscope
