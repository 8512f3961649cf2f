// SPDX-License-Identifier: MIT
// core/run/stop.hpp — a request to stop, set by a signal handler or by a caller.
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

namespace synthoscope {

/// Shared by the caller and the workers. `request` may be called from a signal handler.
class StopFlag {
 public:
  StopFlag() = default;
  /// A flag that is also set whenever `outer` is. `outer` must outlive it.
  explicit StopFlag(const StopFlag& outer) noexcept : outer_{&outer} {}
  StopFlag& operator=(const StopFlag&) = delete;

  void request() noexcept { checks_left_.store(0, std::memory_order_relaxed); }

  /// For tests: requests a stop at check number `n` from now on, where 0 is the next one, so that
  /// every run stops at the same place.
  void request_at_check(std::int64_t n) noexcept {
    checks_left_.store(n, std::memory_order_relaxed);
  }

  [[nodiscard]] bool requested() const noexcept {
    if (checks_left_.load(std::memory_order_relaxed) >= 0 && is_last_check()) [[unlikely]]
      return true;
    return outer_ && outer_->requested();
  }

  /// @throws Interrupted if a stop was requested.
  void check() const {
    if (requested()) [[unlikely]]
      interrupt();
  }

 private:
  static constexpr std::int64_t kNever = -1;
  [[noreturn]] static void interrupt();
  /// Decrements the number of checks that are left. Returns whether it was 0.
  [[nodiscard]] bool is_last_check() const noexcept;

  mutable std::atomic<std::int64_t> checks_left_{kNever};
  const StopFlag* outer_ = nullptr;
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
};

/// Makes a flag the one that stop_point() checks, in the calling thread and in loops of a TaskPool
/// that it starts, until the scope ends. So inner loops respond to a stop without a parameter. A
/// function that has a flag and calls long work without one makes a scope.
class StopScope {
 public:
  /// `stop` outlives the scope.
  explicit StopScope(const StopFlag& stop) noexcept : StopScope{&stop} {}
  /// With null, work in the scope is finished even if a stop is requested.
  explicit StopScope(const StopFlag* stop) noexcept : before_{std::exchange(current_, stop)} {}
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope() { current_ = before_; }

  /// Returns the flag of the innermost scope of the calling thread; null outside of any scope.
  [[nodiscard]] static const StopFlag* current() noexcept { return current_; }

 private:
  const StopFlag* before_;
  static inline constinit thread_local const StopFlag* current_ = nullptr;
};

/// Checks the flag of the innermost scope, in about a nanosecond. Loops call it at least once for
/// each 10 ms of work.
/// @throws Interrupted if the flag of the innermost scope was requested.
inline void stop_point() {
  if (const StopFlag* const stop = StopScope::current()) stop->check();
}

/// Calls stop_point once for each kUnits of work, for loops whose rounds are short or differ. A
/// unit is a multiply-add, a comparison, a byte: what takes about a nanosecond.
class StopMeter {
 public:
  static constexpr std::int64_t kUnits = std::int64_t{1} << 20;

  /// Is called before `units` units of work. @throws Interrupted
  void work(std::int64_t units) {
    left_ -= units;
    if (left_ > 0) [[likely]]
      return;
    stop_point();
    left_ = kUnits;
  }

 private:
  std::int64_t left_ = 0;
};

}  // namespace synthoscope
