// SPDX-License-Identifier: MIT
// core/cuda/memory/memory.hpp — raw memory of a device, and copies.
#pragma once
#include <cstdint>
#include <string_view>
#include "core/cuda/runtime/stream.hpp"

namespace synthoscope::cuda {

struct DeviceMemoryTraits {
  using Raw = void*;
  static constexpr Raw null() { return nullptr; }
  static void release(Raw raw, DeviceId device) noexcept;
};

/// Allocates `bytes` on the device, uninitialized and aligned to 256; null for 0 bytes. `what`
/// names their purpose in error messages. @throws OutOfDeviceMemory, CudaError
UniqueHandle<DeviceMemoryTraits> allocate_device(DeviceId device, std::int64_t bytes,
                                                 std::string_view what);

/// Enqueues a copy between any two memories, of devices or of the host. Copies of pinned memory and
/// inside a device return at once; from ordinary host memory when it has been read, to it when the
/// copy is done.
void enqueue_copy(const Stream& stream, void* to, const void* from, std::int64_t bytes);

/// The same for `rows` of `row_bytes`, which begin `to_pitch` and `from_pitch` bytes apart.
void enqueue_copy_rows(const Stream& stream, void* to, std::int64_t to_pitch, const void* from,
                       std::int64_t from_pitch, std::int64_t row_bytes, std::int64_t rows);

/// Enqueues zeros into device memory, and returns at once.
void enqueue_zeros(const Stream& stream, void* to, std::int64_t bytes);

}  // namespace synthoscope::cuda
