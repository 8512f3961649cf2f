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

/// What is pinned: in use, or free and kept, the oldest first.
class Pinned {
 public:
  using Free = std::list<PinnedBytes>;

  /// Counts bytes as in use. Returns free memory of that size; null if there is none.
  PinnedBytes take(std::int64_t bytes) {
    const std::scoped_lock lock{mutex_};
    used_ += bytes;
    most_used_ = std::max(most_used_, used_);
    const auto found = std::find_if(free_.begin(), free_.end(),
                                    [&](const PinnedBytes& one) { return one.bytes == bytes; });
    if (found == free_.end()) return {};
    const PinnedBytes memory = *found;
    free_.erase(found);
    free_bytes_ -= bytes;
    return memory;
  }

  /// Bytes were counted that could not be pinned, or are not pinned any more.
  void lose(std::int64_t bytes) {
    const std::scoped_lock lock{mutex_};
    used_ -= bytes;
  }

  /// Takes back the only element of `memory`.
  void give_back(Free memory) {
    const std::scoped_lock lock{mutex_};
    used_ -= memory.front().bytes;
    free_bytes_ += memory.front().bytes;
    free_.splice(free_.end(), memory);
  }

  /// Returns free memory that must be unpinned, the oldest first.
  Free too_much() {
    const std::scoped_lock lock{mutex_};
    Free unused;
    while (!free_.empty() && (keepers_ == 0 || used_ + free_bytes_ > most_used_)) {
      free_bytes_ -= free_.front().bytes;
      unused.splice(unused.end(), free_, free_.begin());
    }
    return unused;
  }

  [[nodiscard]] bool keeps() {
    const std::scoped_lock lock{mutex_};
    return keepers_ > 0;
  }
  void begin() {
    const std::scoped_lock lock{mutex_};
    if (keepers_++ == 0) most_used_ = used_;
  }
  void end() {
    const std::scoped_lock lock{mutex_};
    --keepers_;
  }
  [[nodiscard]] std::int64_t free_bytes() {
    const std::scoped_lock lock{mutex_};
    return free_bytes_;
  }

 private:
  std::mutex mutex_;
  int keepers_ = 0;
  Free free_;
  std::int64_t free_bytes_ = 0, used_ = 0, most_used_ = 0;
};

/// Never destroyed: memory may be given back when the process ends.
Pinned& pinned() {
  static auto* const all = new Pinned;
  return *all;
}

void release_too_much() noexcept {
  for (const PinnedBytes& unused : pinned().too_much()) unpin(unused);
}

}  // namespace

void PinnedMemoryTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  if (pinned().keeps()) cudaDeviceSynchronize();  // as CUDA does before it releases memory
  try {
    pinned().give_back({raw});
    release_too_much();
  } catch (const std::bad_alloc&) {  // it cannot even be listed
    pinned().lose(raw.bytes);
    unpin(raw);
  }
}

UniqueHandle<PinnedMemoryTraits> allocate_pinned(DeviceId device, std::int64_t bytes,
                                                 std::string_view what) {
  if (bytes == 0) return {};
  const ScopedDevice on{device};
  const std::int64_t whole = round_up(bytes, kPinnedPage);
  PinnedBytes memory = pinned().take(whole);
  if (!memory.data) try {
      release_too_much();
      memory = pin(whole, what);
    } catch (...) {
      pinned().lose(whole);
      throw;
    }
  return {memory, device};
}

KeepPinnedMemory::KeepPinnedMemory() {
  pinned().begin();
}

KeepPinnedMemory::~KeepPinnedMemory() {
  pinned().end();
  release_too_much();
}

std::int64_t kept_pinned_bytes() noexcept {
  return pinned().free_bytes();
}

}  // namespace synthoscope::cuda
