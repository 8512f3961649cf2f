// SPDX-License-Identifier: MIT
// core/run/stop.hpp — a polite request to stop, set by a signal handler or by a caller.
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

namespace synthoscope {

/// Shared by the caller and the workers. `request` may be called from a signal handler.
class StopFlag {
 public:
  StopFlag() = default;
  /// Also set where `outer`, which outlives it, is.
  explicit StopFlag(const StopFlag& outer) noexcept : outer_{&outer} {}
  StopFlag& operator=(const StopFlag&) = delete;

  void request() noexcept { checks_left_.store(0, std::memory_order_relaxed); }

  /// Requests a stop at the `look`-th look from now on, where 0 is the next one, so that a test
  /// finds the same place in any run.
  void request_at_check(std::int64_t look) noexcept {
    checks_left_.store(look, std::memory_order_relaxed);
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
  /// Counts a look down; whether none was left.
  [[nodiscard]] bool is_last_check() const noexcept;

  mutable std::atomic<std::int64_t> checks_left_{kNever};
  const StopFlag* outer_ = nullptr;
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
};

/// Lends a flag to all that the calling thread does until the scope ends, loops of a TaskPool
/// included, so that inner loops answer a stop without being handed a flag. A function that has a
/// flag and calls long work that has none makes one.
class StopScope {
 public:
  /// `stop` outlives the scope.
  explicit StopScope(const StopFlag& stop) noexcept : StopScope{&stop} {}
  /// Null: what is done in the scope is finished whatever is requested.
  explicit StopScope(const StopFlag* stop) noexcept : before_{std::exchange(current_, stop)} {}
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope() { current_ = before_; }

  /// The flag of the innermost scope of the calling thread; null outside of any scope.
  [[nodiscard]] static const StopFlag* current() noexcept { return current_; }

 private:
  const StopFlag* before_;
  static inline constinit thread_local const StopFlag* current_ = nullptr;
};

/// Loops call it at least once for each 10 ms of work, and it takes about a nanosecond.
/// @throws Interrupted if the flag of the innermost scope was requested.
inline void stop_point() {
  if (const StopFlag* const stop = StopScope::current()) stop->check();
}

/// Calls stop_point once for each kUnits of work, for loops whose rounds are short or differ. A
/// unit is a multiply-add, a comparison, a byte: what takes about a nanosecond.
class StopMeter {
 public:
  static constexpr std::int64_t kUnits = std::int64_t{1} << 20;

  /// To be called before so many units of work. @throws Interrupted
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
