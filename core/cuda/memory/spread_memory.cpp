// SPDX-License-Identifier: MIT
// Virtual memory management of CUDA's driver: addresses are reserved once, and every device's share
// is mapped into its place.
#include "core/cuda/memory/spread_memory.hpp"
#include <cuda.h>
#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <string>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "core/base/round_up.hpp"
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/driver_function.hpp"
#include "core/cuda/runtime/peers.hpp"
#include "core/cuda/runtime/scoped_device.hpp"

namespace synthoscope::cuda {
namespace {

/// The driver's functions; all of them came with CUDA 10.2.
struct Driver {
  static constexpr unsigned kVersion = 10020;
  decltype(&cuMemGetAllocationGranularity) granularity =
      driver_function<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity",
                                                                kVersion);
  decltype(&cuMemAddressReserve) reserve =
      driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve", kVersion);
  decltype(&cuMemAddressFree) free =
      driver_function<decltype(&cuMemAddressFree)>("cuMemAddressFree", kVersion);
  decltype(&cuMemCreate) create = driver_function<decltype(&cuMemCreate)>("cuMemCreate", kVersion);
  decltype(&cuMemRelease) release =
      driver_function<decltype(&cuMemRelease)>("cuMemRelease", kVersion);
  decltype(&cuMemMap) map = driver_function<decltype(&cuMemMap)>("cuMemMap", kVersion);
  decltype(&cuMemUnmap) unmap = driver_function<decltype(&cuMemUnmap)>("cuMemUnmap", kVersion);
  decltype(&cuMemSetAccess) set_access =
      driver_function<decltype(&cuMemSetAccess)>("cuMemSetAccess", kVersion);

  [[nodiscard]] bool is_whole() const {
    return granularity && reserve && free && create && release && map && unmap && set_access;
  }
};

const Driver& driver() {
  static const Driver found;
  if (!found.is_whole())
    throw CudaError(
        "distribute a volume over GPUs: the driver cannot map memory; it needs CUDA 10.2");
  return found;
}

void require(CUresult status, const std::string& step) {
  if (status == CUDA_SUCCESS) return;
  if (status == CUDA_ERROR_OUT_OF_MEMORY) check(cudaErrorMemoryAllocation, step);
  throw CudaError(fmt::format("{}: CUDA's driver reports {}", step, static_cast<int>(status)));
}

CUmemAllocationProp memory_of_device(DeviceId device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device.index};
  return properties;
}

/// Shares are whole pages of the devices. @throws CudaError
std::int64_t page_bytes(std::span<const DeviceInfo> devices) {
  std::size_t most = 1;
  for (const DeviceInfo& device : devices) {
    const ScopedDevice on{device.id};
    const CUmemAllocationProp properties = memory_of_device(device.id);
    std::size_t page = 0;
    require(driver().granularity(&page, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
            fmt::format("read the page size of GPU {}", device.id.index));
    most = std::max(most, page);
  }
  return static_cast<std::int64_t>(most);
}

void require_reach(std::span<const DeviceInfo> devices) {
  for (const DeviceInfo& one : devices)
    for (const DeviceInfo& other : devices) {
      if (!can_reach(one.id, other.id))
        throw CudaError(
            fmt::format("distribute a volume over GPUs: GPU {} cannot access the memory of GPU {}; "
                        "use linked GPUs",
                        one.id.index, other.id.index));
    }
}

}  // namespace

SpreadMemory::SpreadMemory(std::span<const DeviceInfo> devices,
                           std::span<MemoryBudget* const> budgets, std::int64_t bytes,
                           std::string_view what)
    : bytes_{bytes} {
  SYNTHOSCOPE_ASSERT(devices.empty(), ==, false);
  SYNTHOSCOPE_ASSERT(devices.size(), ==, budgets.size());
  require_reach(devices);
  const auto count = static_cast<std::int64_t>(devices.size());
  const std::int64_t page = page_bytes(devices), pages = (bytes + page - 1) / page;
  try {
    CUdeviceptr first = 0;
    reserved_ = std::max<std::int64_t>(1, pages) * page;
    require(driver().reserve(&first, static_cast<std::size_t>(reserved_), 0, 0, 0),
            fmt::format("reserve addresses for {}", what));
    first_ = first;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t begin = i * pages / count * page, end = (i + 1) * pages / count * page;
      shares_.push_back(
          {devices[at].id, begin, end - begin, 0, budgets[at]->reserve(end - begin, what)});
      take(shares_.back(), what);
    }
    open_to(devices);
  } catch (...) {
    give_back();
    throw;
  }
}

SpreadMemory::~SpreadMemory() {
  give_back();
}

std::byte* SpreadMemory::data() const {
  return reinterpret_cast<std::byte*>(first_);
}

std::optional<DeviceId> SpreadMemory::device_of(std::int64_t begin, std::int64_t end) const {
  std::optional<DeviceId> holder;
  for (const Share& share : shares_) {
    if (share.bytes == 0 || share.begin >= end || share.begin + share.bytes <= begin) continue;
    if (holder && *holder != share.device) return std::nullopt;
    holder = share.device;
  }
  return holder;
}

void SpreadMemory::take(Share& share, std::string_view what) {
  if (share.bytes == 0) return;
  const ScopedDevice on{share.device};
  const auto bytes = static_cast<std::size_t>(share.bytes);
  const std::string step = fmt::format("allocate {} on GPU {} for {}", print_bytes(share.bytes),
                                       share.device.index, what);
  const CUmemAllocationProp properties = memory_of_device(share.device);
  CUmemGenericAllocationHandle handle = 0;
  require(driver().create(&handle, bytes, &properties, 0), step);
  const CUresult mapped =
      driver().map(first_ + static_cast<CUdeviceptr>(share.begin), bytes, 0, handle, 0);
  if (mapped != CUDA_SUCCESS) driver().release(handle);
  require(mapped, step);
  share.handle = handle;
}

void SpreadMemory::open_to(std::span<const DeviceInfo> devices) {
  std::set<int> indices;
  for (const DeviceInfo& device : devices) indices.insert(device.id.index);
  std::vector<CUmemAccessDesc> access;
  for (const int index : indices)
    access.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, index}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  for (const Share& share : shares_)
    if (share.bytes > 0)
      require(
          driver().set_access(first_ + static_cast<CUdeviceptr>(share.begin),
                              static_cast<std::size_t>(share.bytes), access.data(), access.size()),
          "give other GPUs access to the memory of a GPU");
}

void SpreadMemory::give_back() noexcept {
  for (Share& share : shares_) {
    if (share.handle == 0) continue;
    driver().unmap(first_ + static_cast<CUdeviceptr>(share.begin),
                   static_cast<std::size_t>(share.bytes));
    driver().release(share.handle);
  }
  if (first_ != 0) driver().free(first_, static_cast<std::size_t>(reserved_));
}

}  // namespace synthoscope::cuda
