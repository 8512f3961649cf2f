// SPDX-License-Identifier: MIT
#include "core/cuda/memory/memory_pool.hpp"
#include <cuda_runtime_api.h>
#include <map>
#include <mutex>
#include <new>
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/peers.hpp"
#include "core/cuda/runtime/scoped_device.hpp"

namespace synthoscope::cuda {
namespace {

constexpr int kKeptPart = 8;

/// Our own: the device's default pool is for all libraries of a process.
cudaMemPool_t make_pool(const DeviceInfo& device) {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location = {cudaMemLocationTypeDevice, device.id.index};
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &wanted), "create a memory pool of a GPU");
  auto most = static_cast<std::uint64_t>(device.memory_bytes / kKeptPart);
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most),
        "limit the memory that the pool of a GPU keeps");
  return pool;
}

/// Other memory is reached by a device that enables it (peers.hpp); a pool's is opened here.
void open_to_peers(cudaMemPool_t pool, DeviceId device) {
  for (const DeviceInfo& other : list_devices().devices) {
    if (other.id == device || !can_reach(other.id, device)) continue;
    const cudaMemAccessDesc reach{{cudaMemLocationTypeDevice, other.id.index},
                                  cudaMemAccessFlagsProtReadWrite};
    check(cudaMemPoolSetAccess(pool, &reach, 1), "give one GPU access to the memory of another");
  }
}

/// Where memory of a device is taken and given back, in order, and what is out.
struct Keeper {
  cudaMemPool_t pool;
  Stream queue;
  std::map<void*, std::int64_t> taken;  ///< bytes
  std::int64_t taken_bytes = 0;
};

Keeper start_keeping(const DeviceInfo& device) {
  const ScopedDevice on{device.id};
  const cudaMemPool_t pool = make_pool(device);
  open_to_peers(pool, device.id);
  return {pool, Stream{device.id}, {}};
}

struct Keepers {
  std::mutex mutex;
  std::map<int, Keeper> of_devices;

  Keeper* find(DeviceId device) {
    const auto at = of_devices.find(device.index);
    return at == of_devices.end() ? nullptr : &at->second;
  }
};

/// Never destroyed: memory may be given back when the process ends.
Keepers& keepers() {
  static auto* const all = new Keepers;
  return *all;
}

void* take(const Keeper& keeper, std::int64_t bytes) noexcept {
  void* memory = nullptr;
  if (cudaMallocFromPoolAsync(&memory, static_cast<std::size_t>(bytes), keeper.pool,
                              keeper.queue.handle()) == cudaSuccess)
    return memory;
  cudaGetLastError();  // it is kept as an error of the thread's
  return nullptr;
}

}  // namespace

void enable_pool(const DeviceInfo& device) {
  const std::scoped_lock lock{keepers().mutex};
  auto& all = keepers().of_devices;
  if (!all.contains(device.id.index)) all.try_emplace(device.id.index, start_keeping(device));
}

void* allocate_from_pool(DeviceId device, std::int64_t bytes) noexcept {
  const std::scoped_lock lock{keepers().mutex};
  Keeper* const keeper = keepers().find(device);
  if (!keeper) return nullptr;
  void* memory = take(*keeper, bytes);
  if (!memory) {  // what is kept may lie in pieces
    cudaMemPoolTrimTo(keeper->pool, 0);
    memory = take(*keeper, bytes);
  }
  if (!memory) return nullptr;
  keeper->queue.drain();
  try {
    keeper->taken.emplace(memory, bytes);
  } catch (const std::bad_alloc&) {
    cudaFreeAsync(memory, keeper->queue.handle());
    return nullptr;
  }
  keeper->taken_bytes += bytes;
  return memory;
}

bool free_to_pool(DeviceId device, void* memory) noexcept {
  cudaStream_t queue = nullptr;
  {
    const std::scoped_lock lock{keepers().mutex};
    Keeper* const keeper = keepers().find(device);
    const auto at = keeper ? keeper->taken.find(memory) : decltype(keeper->taken.end()){};
    if (!keeper || at == keeper->taken.end()) return false;
    keeper->taken_bytes -= at->second;
    keeper->taken.erase(at);
    queue = keeper->queue.handle();  // keepers stay for good
  }
  cudaDeviceSynchronize();  // not under the lock: others take and give back meanwhile
  cudaFreeAsync(memory, queue);
  return true;
}

std::int64_t pool_bytes_in_use(DeviceId device) noexcept {
  const std::scoped_lock lock{keepers().mutex};
  const Keeper* const keeper = keepers().find(device);
  return keeper ? keeper->taken_bytes : 0;
}

std::int64_t pool_bytes_free(DeviceId device) {
  cudaMemPool_t pool = nullptr;
  {
    const std::scoped_lock lock{keepers().mutex};
    const Keeper* const keeper = keepers().find(device);
    if (!keeper) return 0;
    pool = keeper->pool;
  }
  std::uint64_t reserved = 0, used = 0;
  for (const auto& [which, bytes] : {std::pair{cudaMemPoolAttrReservedMemCurrent, &reserved},
                                     std::pair{cudaMemPoolAttrUsedMemCurrent, &used}})
    check(cudaMemPoolGetAttribute(pool, which, bytes),
          "read the memory that the pool of a GPU keeps");
  return static_cast<std::int64_t>(reserved - used);
}

DeviceMemory memory_of(DeviceId device) {
  const ScopedDevice on{device};
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "read the free memory of a GPU");
  return {static_cast<std::int64_t>(free) + pool_bytes_free(device),
          static_cast<std::int64_t>(total)};
}

}  // namespace synthoscope::cuda
