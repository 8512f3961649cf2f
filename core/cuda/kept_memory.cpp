// SPDX-License-Identifier: MIT
#include "core/cuda/kept_memory.hpp"
#include <cuda_runtime_api.h>
#include <map>
#include <mutex>
#include <set>
#include "core/cuda/check.hpp"
#include "core/cuda/peers.hpp"
#include "core/cuda/scoped_device.hpp"

namespace synthoscope::cuda {
namespace {

constexpr int kKeptPart = 8;

cudaMemPool_t pool_of(DeviceId device) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device.index), "find the memory pool of a GPU");
  return pool;
}

/// Other memory is reached by a device that enables it (peers.hpp); a pool's is opened here.
void open_to_peers(cudaMemPool_t pool, DeviceId device) {
  for (const DeviceInfo& other : list_devices().devices) {
    if (other.id == device || !can_reach(other.id, device)) continue;
    const cudaMemAccessDesc reach{{cudaMemLocationTypeDevice, other.id.index},
                                  cudaMemAccessFlagsProtReadWrite};
    check(cudaMemPoolSetAccess(pool, &reach, 1), "open memory of one GPU to another");
  }
}

/// Where memory of a device is taken and given back, in order, and what is out.
struct Keeper {
  Stream queue;
  std::set<void*> taken;
};

Keeper start_keeping(const DeviceInfo& device) {
  const ScopedDevice on{device.id};
  const cudaMemPool_t pool = pool_of(device.id);
  auto most = static_cast<std::uint64_t>(device.memory_bytes / kKeptPart);
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most),
        "keep memory of a GPU");
  open_to_peers(pool, device.id);
  return {Stream{device.id}, {}};
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

}  // namespace

void keep_memory(const DeviceInfo& device) {
  const std::scoped_lock lock{keepers().mutex};
  auto& all = keepers().of_devices;
  if (!all.contains(device.id.index)) all.try_emplace(device.id.index, start_keeping(device));
}

void* take_kept(DeviceId device, std::int64_t bytes) noexcept {
  const std::scoped_lock lock{keepers().mutex};
  Keeper* const keeper = keepers().find(device);
  void* memory = nullptr;
  if (!keeper || cudaMallocAsync(&memory, static_cast<std::size_t>(bytes),
                                 keeper->queue.handle()) != cudaSuccess) {
    cudaGetLastError();  // it is kept as an error of the thread's
    return nullptr;
  }
  keeper->queue.settle();
  keeper->taken.insert(memory);
  return memory;
}

bool give_back_kept(DeviceId device, void* memory) noexcept {
  const std::scoped_lock lock{keepers().mutex};
  Keeper* const keeper = keepers().find(device);
  if (!keeper || keeper->taken.erase(memory) == 0) return false;
  cudaDeviceSynchronize();
  cudaFreeAsync(memory, keeper->queue.handle());
  return true;
}

std::int64_t kept_bytes(DeviceId device) {
  {
    const std::scoped_lock lock{keepers().mutex};
    if (!keepers().find(device)) return 0;
  }
  std::uint64_t reserved = 0, used = 0;
  for (const auto& [which, bytes] : {std::pair{cudaMemPoolAttrReservedMemCurrent, &reserved},
                                     std::pair{cudaMemPoolAttrUsedMemCurrent, &used}})
    check(cudaMemPoolGetAttribute(pool_of(device), which, bytes),
          "ask what memory of a GPU is kept");
  return static_cast<std::int64_t>(reserved - used);
}

}  // namespace synthoscope::cuda
