// SPDX-License-Identifier: MIT
#include "imageio/output/background_allocation.hpp"
#include <algorithm>
#include "core/system/file_bytes.hpp"

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
  for (std::int64_t at = begin; at < end && !is_enough_ && failure_ == 0; at += kSlice)
    failure_ = allocate_bytes(descriptor, at, std::min(kSlice, end - at));
}

int BackgroundAllocation::wait() {
  if (thread_.joinable()) thread_.join();
  return failure_;
}

}  // namespace synthoscope::imageio
