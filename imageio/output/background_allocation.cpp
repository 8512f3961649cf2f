// SPDX-License-Identifier: MIT
#include "imageio/output/background_allocation.hpp"
#include <fcntl.h>
#include <algorithm>
#include <cerrno>

namespace synthoscope::imageio {

BackgroundAllocation::BackgroundAllocation(int descriptor, std::int64_t begin, std::int64_t end)
    : thread_{[this, descriptor, begin, end] { allocate(descriptor, begin, end); }} {}

BackgroundAllocation::~BackgroundAllocation() {
  is_enough_ = true;
  if (thread_.joinable()) thread_.join();
}

/// In slices, between which writers get the lock of the file, and a stop is noticed.
void BackgroundAllocation::allocate(int descriptor, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t kSlice = std::int64_t{32} << 20;
  for (std::int64_t at = begin; at < end && !is_enough_; at += kSlice)
    if (::fallocate(descriptor, 0, at, std::min(kSlice, end - at)) != 0) {
      failure_ = errno;
      return;
    }
}

int BackgroundAllocation::wait() {
  if (thread_.joinable()) thread_.join();
  return failure_;
}

}  // namespace synthoscope::imageio
