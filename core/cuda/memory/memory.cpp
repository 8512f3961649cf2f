// SPDX-License-Identifier: MIT
#include "core/cuda/memory/memory.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include "core/cuda/memory/memory_pool.hpp"
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"
#include "core/run/host_buffer.hpp"
#include "core/run/memory_budget.hpp"

namespace synthoscope::cuda {
namespace {

/// Large buffers lie in pages of 2 MiB. CUDA would allocate pages of 4 KiB, and pinning them takes
/// four times as long.
bool in_huge_pages(std::int64_t bytes) {
  return bytes >= kHugeAlignedBytes;
}

}  // namespace

void DeviceMemoryTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  if (!free_to_pool(device, raw)) cudaFree(raw);
}

void PinnedMemoryTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  if (!in_huge_pages(raw.bytes)) {
    cudaFreeHost(raw.data);
    return;
  }
  cudaHostUnregister(raw.data);
  free_aligned(raw.data, raw.bytes);
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

UniqueHandle<PinnedMemoryTraits> allocate_pinned(DeviceId device, std::int64_t bytes,
                                                 std::string_view what) {
  if (bytes == 0) return {};
  const ScopedDevice on{device};
  const auto count = static_cast<std::size_t>(bytes);
  const auto checked = [&](cudaError_t status) {
    check(status, fmt::format("pin {} of host memory for {}", print_bytes(bytes), what));
  };
  if (!in_huge_pages(bytes)) {
    void* raw = nullptr;
    checked(cudaHostAlloc(&raw, count, cudaHostAllocPortable));
    return {{raw, bytes}, device};
  }
  void* const raw = allocate_aligned(bytes);
  // After a fork, the first write would move a page away from where the device looks for it
  ::madvise(raw, count, MADV_DONTFORK);
  const cudaError_t status = cudaHostRegister(raw, count, cudaHostRegisterPortable);
  if (status != cudaSuccess) free_aligned(raw, bytes);
  checked(status);
  return {{raw, bytes}, device};
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
