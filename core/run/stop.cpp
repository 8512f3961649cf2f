// SPDX-License-Identifier: MIT
#include "core/run/stop.hpp"
#include "core/base/error.hpp"

namespace synthoscope {

bool StopFlag::is_last_check() const noexcept {
  std::int64_t left = checks_left_.load(std::memory_order_relaxed);
  while (left > 0)
    if (checks_left_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return false;
  return left == 0;
}

void StopFlag::interrupt() {
  throw Interrupted(
      "the run was stopped before its result was complete: files are as they were before it; run "
      "the "
      "command again");
}

}  // namespace synthoscope
