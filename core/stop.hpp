// SPDX-License-Identifier: MIT
// core/stop.hpp — a polite request to stop, set by a signal handler or by a caller.
#pragma once
#include <atomic>

namespace synthoscope {

/// Shared by who asks and who works. `request` may be called from a signal handler.
class StopFlag {
 public:
  StopFlag() = default;
  /// Also set where `outer`, which outlives it, is.
  explicit StopFlag(const StopFlag& outer) noexcept : outer_{&outer} {}
  StopFlag& operator=(const StopFlag&) = delete;

  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool requested() const noexcept {
    return requested_.load(std::memory_order_relaxed) || (outer_ && outer_->requested());
  }

  /// @throws Interrupted if a stop was requested.
  void check() const;

 private:
  std::atomic<bool> requested_{false};
  const StopFlag* outer_ = nullptr;
  static_assert(std::atomic<bool>::is_always_lock_free);
};

}  // namespace synthoscope
