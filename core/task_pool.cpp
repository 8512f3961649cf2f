// SPDX-License-Identifier: MIT
#include "core/task_pool.hpp"
#include <fmt/format.h>
#include <sched.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include "core/error.hpp"
#include "core/thread_limit.hpp"

namespace synthoscope {
namespace {

/// oneTBB starts no more than so many on a smaller machine, and says so on its own; ten thousands
/// would bring it to a standstill.
constexpr int kMostThreads = 256;

int checked(int threads) {
  if (threads < 1 || (threads > kMostThreads && threads > available_threads()))
    throw InvalidSpec(fmt::format("start threads: {} were asked for; give 1 to {} with --threads",
                                  threads, std::max(kMostThreads, available_threads())));
  return threads;
}

/// The quota of cgroup v2 in cores, or infinity. A container with 1.5 cores gets 2 threads.
double cgroup_cores() {
  std::ifstream file{"/sys/fs/cgroup/cpu.max"};
  std::string quota;
  double period = 0;
  if (file >> quota >> period && quota != "max" && period > 0) return std::stod(quota) / period;
  return INFINITY;
}

}  // namespace

TaskPool::TaskPool(int threads) : threads_{checked(threads)}, arena_{threads} {
  require_threads(threads);
}

int available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int affinity = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(1, static_cast<int>(std::min<double>(affinity, std::ceil(cgroup_cores()))));
}

}  // namespace synthoscope
