// SPDX-License-Identifier: MIT
#include "core/run/task_pool.hpp"
#include <fmt/format.h>
#include <sched.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
#include "core/base/error.hpp"
#include "core/system/control_groups.hpp"
#include "core/system/thread_limit.hpp"

namespace synthoscope {
namespace {

/// oneTBB starts no more than so many on a smaller machine, and says so on its own; ten thousands
/// would bring it to a standstill.
constexpr int kMaxThreads = 256;
constexpr int kMaxProcessors = 1 << 20;

int checked(int threads) {
  if (threads < 1 || (threads > kMaxThreads && threads > available_threads()))
    throw InvalidSpec(fmt::format("start threads: {} were requested; give 1 to {} with --threads",
                                  threads, std::max(kMaxThreads, available_threads())));
  return threads;
}

/// Returns on how many processors the calling thread may run, at least 1. `cpuset` groups limit
/// them.
int affinity() {
  // The kernel refuses a set that is too small for the processors that it could have
  for (int processors = CPU_SETSIZE; processors <= kMaxProcessors; processors *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set{
        CPU_ALLOC(processors), [](cpu_set_t* given) { CPU_FREE(given); }};
    const std::size_t bytes = CPU_ALLOC_SIZE(processors);
    if (set && sched_getaffinity(0, bytes, set.get()) == 0)
      return std::max(1, CPU_COUNT_S(bytes, set.get()));
    if (errno != EINVAL) break;
  }
  return 1;
}

}  // namespace

TaskPool::TaskPool(int threads) : threads_{checked(threads)}, arena_{threads} {
  require_threads(threads);
}

int available_threads() {
  // With 1.5 cores there are 2 threads
  return std::max(1,
                  static_cast<int>(std::min<double>(affinity(), std::ceil(group_limits().cores))));
}

}  // namespace synthoscope
