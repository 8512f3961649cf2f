// SPDX-License-Identifier: MIT
// core/cuda/memory/memory_pool.hpp — free memory of a device, and memory that stays with the
// process when it is given back.
#pragma once
#include <cstdint>
#include "core/cuda/runtime/stream.hpp"

namespace synthoscope::cuda {

struct DeviceMemory {
  std::int64_t free_bytes = 0, total_bytes = 0;
};

/// What the device has left for this process. The first call for a device starts CUDA on it, which
/// takes some tenths of a second and some hundred MiB of the device; they are not counted as free.
/// @throws CudaError
DeviceMemory memory_of(DeviceId device);

/// From now on memory of the device (memory.hpp) that is given back stays with this process, up to
/// an eighth of what the device has, and is taken again in microseconds: for calls of milliseconds
/// that follow each other. memory_of counts it as free; other libraries of this process cannot
/// take it.
/// @throws CudaError
void enable_pool(const DeviceInfo& device);

/// Allocates `bytes` from the kept memory of a device, ready for every stream; null if there is not
/// enough, or if the device keeps none.
void* allocate_from_pool(DeviceId device, std::int64_t bytes) noexcept;

/// Gives back what allocate_from_pool gave, once the device has done all its work: false, and
/// nothing done, for other memory.
bool free_to_pool(DeviceId device, void* memory) noexcept;

/// What allocate_from_pool gave and holds still, in bytes.
std::int64_t pool_bytes_in_use(DeviceId device) noexcept;

/// Returns the bytes that are kept and not in use. @throws CudaError
std::int64_t pool_bytes_free(DeviceId device);

}  // namespace synthoscope::cuda
