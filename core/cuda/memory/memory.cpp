// SPDX-License-Identifier: MIT
#include "core/cuda/memory/memory.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include "core/cuda/memory/memory_pool.hpp"
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"
#include "core/run/memory_budget.hpp"

namespace synthoscope::cuda {

void DeviceMemoryTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  if (!free_to_pool(device, raw)) cudaFree(raw);
}

UniqueHandle<DeviceMemoryTraits> allocate_device(DeviceId device, std::int64_t bytes,
                                                 std::string_view what) {
  if (bytes == 0) return {};
  const ScopedDevice on{device};
  void* raw = allocate_from_pool(device, bytes);
  if (raw) return {raw, device};
  check(cudaMalloc(&raw, static_cast<std::size_t>(bytes)),
        fmt::format("allocate {} on GPU {} for {}", print_bytes(bytes), device.index, what));
  return {raw, device};
}

void enqueue_copy(const Stream& stream, void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  const ScopedDevice on{stream.device()};
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault,
                        stream.handle()),
        "copy to, from or inside a GPU");
}

void enqueue_copy_rows(const Stream& stream, void* to, std::int64_t to_pitch, const void* from,
                       std::int64_t from_pitch, std::int64_t row_bytes, std::int64_t rows) {
  if (row_bytes == 0 || rows == 0) return;
  if (to_pitch == row_bytes && from_pitch == row_bytes)
    return enqueue_copy(stream, to, from, row_bytes * rows);
  const ScopedDevice on{stream.device()};
  const auto size = [](std::int64_t bytes) { return static_cast<std::size_t>(bytes); };
  check(cudaMemcpy2DAsync(to, size(to_pitch), from, size(from_pitch), size(row_bytes), size(rows),
                          cudaMemcpyDefault, stream.handle()),
        "copy rows to, from or inside a GPU");
}

void enqueue_zeros(const Stream& stream, void* to, std::int64_t bytes) {
  if (bytes == 0) return;
  const ScopedDevice on{stream.device()};
  check(cudaMemsetAsync(to, 0, static_cast<std::size_t>(bytes), stream.handle()),
        "clear memory of a GPU");
}

}  // namespace synthoscope::cuda
