// SPDX-License-Identifier: MIT
// core/cuda/memory/memory_pool.hpp — free memory of a device, and a pool of memory that the process
// keeps.
#pragma once
#include <cstdint>
#include "core/cuda/runtime/stream.hpp"

namespace synthoscope::cuda {

struct DeviceMemory {
  std::int64_t free_bytes = 0, total_bytes = 0;
};

/// Returns the memory of the device that this process can still allocate. The first call for a
/// device starts CUDA on it, which takes some tenths of a second and some hundred MiB, which are
/// not free.
/// @throws CudaError
DeviceMemory memory_of(DeviceId device);

/// Enables a memory pool on the device: freed memory (memory.hpp) stays with this process, up to an
/// eighth of the device's memory, and is allocated again in microseconds, for calls of milliseconds
/// that follow each other. memory_of counts it as free; other libraries of this process cannot use
/// it.
/// @throws CudaError
void enable_pool(const DeviceInfo& device);

/// Allocates `bytes` from the pool of a device, for use in any stream. Returns null if the device
/// has no pool or too little memory.
void* allocate_from_pool(DeviceId device, std::int64_t bytes) noexcept;

/// Frees memory of the pool, after the device has finished all its work. Returns false, and does
/// nothing, for other memory.
bool free_to_pool(DeviceId device, void* memory) noexcept;

/// Returns the bytes of the pool that are in use.
std::int64_t pool_bytes_in_use(DeviceId device) noexcept;

/// Returns the bytes of the pool that are not in use. @throws CudaError
std::int64_t pool_bytes_free(DeviceId device);

}  // namespace synthoscope::cuda
