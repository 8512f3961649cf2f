// SPDX-License-Identifier: MIT
// core/cuda/memory/pinned_memory.hpp — host memory that devices read and write by themselves.
#pragma once
#include <cstdint>
#include <string_view>
#include "core/cuda/runtime/stream.hpp"

namespace synthoscope::cuda {

/// Host memory that was pinned.
struct PinnedBytes {
  void* data = nullptr;
  std::int64_t bytes = 0;
  friend constexpr bool operator==(const PinnedBytes&, const PinnedBytes&) = default;
};

struct PinnedMemoryTraits {
  using Raw = PinnedBytes;
  static constexpr Raw null() { return {}; }
  static void release(Raw raw, DeviceId device) noexcept;
};

/// Takes at least `bytes` of host memory in whole pages that stay where they are, for copies at the
/// full speed of the link, of every device. It takes about 0.2 s a GiB: do it once.
/// @throws OutOfDeviceMemory, CudaError; std::bad_alloc  the host has too little memory
UniqueHandle<PinnedMemoryTraits> allocate_pinned(DeviceId device, std::int64_t bytes,
                                                 std::string_view what);

/// While one of these exists, up to 8 MiB of pinned memory that is given back stays pinned. The
/// next request for as many pages of 64 KiB gets it. This saves short runs that follow each other
/// 0.7 ms for each buffer. The last of these objects releases what is left.
class KeepPinnedMemory {
 public:
  KeepPinnedMemory();
  KeepPinnedMemory(const KeepPinnedMemory&) = delete;
  KeepPinnedMemory& operator=(const KeepPinnedMemory&) = delete;
  ~KeepPinnedMemory();
};

/// Returns the bytes that are kept and not in use.
std::int64_t kept_pinned_bytes() noexcept;

}  // namespace synthoscope::cuda
