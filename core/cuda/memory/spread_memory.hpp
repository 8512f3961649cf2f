// SPDX-License-Identifier: MIT
// core/cuda/memory/spread_memory.hpp — memory of several devices, mapped to one range of virtual
// addresses that all of them access.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "core/run/memory_budget.hpp"

namespace synthoscope::cuda {

/// Uninitialised bytes, in equal shares on the devices in their order. Each device reads and writes
/// all of them: its own share at the speed of its memory, those of others over the links between
/// devices. The host copies to and from it (enqueue_copy), as for memory of one device.
class SpreadMemory {
 public:
  /// @param devices  at least one; one that is named several times has as many shares
  /// @param budgets  of the devices, one each, which outlive this
  /// @throws PlanError  a budget is too small.
  /// @throws OutOfDeviceMemory
  /// @throws CudaError  a device cannot access the memory of another.
  SpreadMemory(std::span<const DeviceInfo> devices, std::span<MemoryBudget* const> budgets,
               std::int64_t bytes, std::string_view what);
  SpreadMemory(const SpreadMemory&) = delete;
  SpreadMemory& operator=(const SpreadMemory&) = delete;
  ~SpreadMemory();

  [[nodiscard]] std::byte* data() const;
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] DeviceId device() const { return shares_.front().device; }  ///< the first
  /// Returns the device that holds the bytes from `begin` to `end`; none if several do.
  [[nodiscard]] std::optional<DeviceId> device_of(std::int64_t begin, std::int64_t end) const;

 private:
  struct Share {
    DeviceId device;
    std::int64_t begin = 0, bytes = 0;
    unsigned long long handle = 0;  ///< CUmemGenericAllocationHandle
    Reservation reservation;
  };
  void take(Share& share, std::string_view what);
  void open_to(std::span<const DeviceInfo> devices);
  void give_back() noexcept;

  std::int64_t bytes_;
  std::int64_t reserved_ = 0;     ///< bytes of addresses
  unsigned long long first_ = 0;  ///< CUdeviceptr
  std::vector<Share> shares_;
};

}  // namespace synthoscope::cuda
