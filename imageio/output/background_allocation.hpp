// SPDX-License-Identifier: MIT
// imageio/output/background_allocation.hpp — takes disk space for a file while it is written.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace synthoscope::imageio {

/// Allocates the space of an open file on a thread of its own. File systems in memory clear what
/// they allocate, at a few GB/s, so that a run would wait for it.
class BackgroundAllocation {
 public:
  /// Allocates bytes `begin` to `end`. The descriptor must stay open until this is destroyed.
  /// @throws std::system_error  no thread can be started
  BackgroundAllocation(int descriptor, std::int64_t begin, std::int64_t end);
  /// Ends it early.
  ~BackgroundAllocation();
  BackgroundAllocation(const BackgroundAllocation&) = delete;
  BackgroundAllocation& operator=(const BackgroundAllocation&) = delete;

  /// Returns the value of errno if it has failed by now, otherwise 0.
  [[nodiscard]] int failure() const { return failure_; }
  /// Waits until everything is allocated. @returns as `failure`
  int wait();

 private:
  void allocate(int descriptor, std::int64_t begin, std::int64_t end);

  std::atomic<bool> is_enough_ = false;
  std::atomic<int> failure_ = 0;
  std::thread thread_;
};

}  // namespace synthoscope::imageio
