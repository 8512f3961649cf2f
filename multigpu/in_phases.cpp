// SPDX-License-Identifier: MIT
#include "multigpu/in_phases.hpp"
#include <barrier>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace synthoscope::multigpu {
namespace {

/// The first failure of all.
class FirstFailure {
 public:
  explicit FirstFailure(StopFlag& stop) : stop_{stop} {}
  void keep(std::exception_ptr failure) {
    const std::scoped_lock lock{mutex_};
    if (!failure_) failure_ = std::move(failure);
    stop_.request();
  }
  /// Once no member is at work.
  [[nodiscard]] const std::exception_ptr& get() const { return failure_; }

 private:
  StopFlag& stop_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void run_in_phases(std::size_t members, std::span<const Phase> phases, StopFlag& stop) {
  FirstFailure failure{stop};
  bool ends = false;  // all must see the same: it is set while all wait
  std::barrier together{static_cast<std::ptrdiff_t>(members),
                        [&]() noexcept { ends = failure.get() != nullptr; }};
  const auto work = [&](std::size_t i) {
    for (const Phase& phase : phases) {
      try {
        phase(i);
      } catch (...) {
        failure.keep(std::current_exception());
      }
      together.arrive_and_wait();
      if (ends) return;
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(members);  // once a thread runs, nothing may throw
  for (std::size_t i = 1; i < members; ++i) try {
      threads.emplace_back(work, i);
    } catch (const std::exception&) {  // no more threads
      failure.keep(std::current_exception());
      together.arrive_and_drop();
    }
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (failure.get()) std::rethrow_exception(failure.get());
}

}  // namespace synthoscope::multigpu
