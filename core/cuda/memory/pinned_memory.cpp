// SPDX-License-Identifier: MIT
#include "core/cuda/memory/pinned_memory.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <algorithm>
#include <list>
#include <mutex>
#include <new>
#include "core/base/round_up.hpp"
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"
#include "core/run/host_buffer.hpp"
#include "core/run/memory_budget.hpp"

namespace synthoscope::cuda {
namespace {

/// Sizes that differ a little are served by the same memory.
constexpr std::int64_t kPinnedPage = std::int64_t{1} << 16;

/// No budget counts what is kept, so it must be little.
constexpr std::int64_t kMostKept = std::int64_t{8} << 20;

/// Large buffers lie in pages of 2 MiB. CUDA would allocate pages of 4 KiB, and pinning them takes
/// four times as long.
bool in_huge_pages(std::int64_t bytes) {
  return bytes >= kHugeAlignedBytes;
}

/// @throws as allocate_pinned
PinnedBytes pin(std::int64_t bytes, std::string_view what) {
  const auto count = static_cast<std::size_t>(bytes);
  const auto checked = [&](cudaError_t status) {
    check(status, fmt::format("pin {} of host memory for {}", print_bytes(bytes), what));
  };
  if (!in_huge_pages(bytes)) {
    void* raw = nullptr;
    checked(cudaHostAlloc(&raw, count, cudaHostAllocPortable));
    return {raw, bytes};
  }
  void* const raw = allocate_aligned(bytes);
  // After a fork, the first write would move a page away from where the device looks for it
  ::madvise(raw, count, MADV_DONTFORK);
  const cudaError_t status = cudaHostRegister(raw, count, cudaHostRegisterPortable);
  if (status != cudaSuccess) free_aligned(raw, bytes);
  checked(status);
  return {raw, bytes};
}

void unpin(const PinnedBytes& memory) noexcept {
  if (!in_huge_pages(memory.bytes)) {
    cudaFreeHost(memory.data);
    return;
  }
  cudaHostUnregister(memory.data);
  free_aligned(memory.data, memory.bytes);
}

/// Pinned memory that is free and kept, the oldest first.
class Kept {
 public:
  using List = std::list<PinnedBytes>;

  /// Returns memory of that size, or null.
  PinnedBytes take(std::int64_t bytes) {
    const std::scoped_lock lock{mutex_};
    const auto found = std::find_if(list_.begin(), list_.end(),
                                    [&](const PinnedBytes& one) { return one.bytes == bytes; });
    if (found == list_.end()) return {};
    const PinnedBytes memory = *found;
    list_.erase(found);
    bytes_ -= bytes;
    return memory;
  }

  void add(const PinnedBytes& memory) {
    const std::scoped_lock lock{mutex_};
    list_.push_back(memory);
    bytes_ += memory.bytes;
  }

  /// Returns memory that must be unpinned. Without a keeper, this is all of it.
  List excess() {
    const std::scoped_lock lock{mutex_};
    List unused;
    while (!list_.empty() && (keepers_ == 0 || bytes_ > kMostKept)) {
      bytes_ -= list_.front().bytes;
      unused.splice(unused.end(), list_, list_.begin());
    }
    return unused;
  }

  void count_keepers(int more) {
    const std::scoped_lock lock{mutex_};
    keepers_ += more;
  }
  [[nodiscard]] bool has_keepers() {
    const std::scoped_lock lock{mutex_};
    return keepers_ > 0;
  }
  [[nodiscard]] std::int64_t bytes() {
    const std::scoped_lock lock{mutex_};
    return bytes_;
  }

 private:
  std::mutex mutex_;
  int keepers_ = 0;
  List list_;
  std::int64_t bytes_ = 0;
};

/// Never destroyed: memory may be given back when the process ends.
Kept& kept() {
  static auto* const all = new Kept;
  return *all;
}

void release_excess() noexcept {
  for (const PinnedBytes& unused : kept().excess()) unpin(unused);
}

/// Returns whether the memory was kept. Waits for its device, which may still use it.
bool keep(const PinnedBytes& memory) noexcept {
  if (memory.bytes > kMostKept || !kept().has_keepers()) return false;
  if (cudaDeviceSynchronize() != cudaSuccess) {
    cudaGetLastError();  // CUDA would report it again to the next call of this thread
    return false;
  }
  try {
    kept().add(memory);
  } catch (const std::bad_alloc&) {
    return false;
  }
  release_excess();
  return true;
}

}  // namespace

void PinnedMemoryTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  if (!keep(raw)) unpin(raw);
}

UniqueHandle<PinnedMemoryTraits> allocate_pinned(DeviceId device, std::int64_t bytes,
                                                 std::string_view what) {
  if (bytes == 0) return {};
  const ScopedDevice on{device};
  const std::int64_t whole = round_up(bytes, kPinnedPage);
  PinnedBytes memory = kept().take(whole);
  if (!memory.data) memory = pin(whole, what);
  return {memory, device};
}

KeepPinnedMemory::KeepPinnedMemory() {
  kept().count_keepers(1);
}

KeepPinnedMemory::~KeepPinnedMemory() {
  kept().count_keepers(-1);
  release_excess();
}

std::int64_t kept_pinned_bytes() noexcept {
  return kept().bytes();
}

}  // namespace synthoscope::cuda
