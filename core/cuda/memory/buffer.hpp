// SPDX-License-Identifier: MIT
// core/cuda/memory/buffer.hpp — elements in memory of a device, or in host memory that it reads by
// itself; a budget has counted both.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>
#include "core/base/assert.hpp"
#include "core/cuda/memory/memory.hpp"
#include "core/cuda/memory/pinned_memory.hpp"
#include "core/run/memory_budget.hpp"

namespace synthoscope::cuda {

/// Elements in memory of a device, owned by another: the host must not look at them.
template <class T>
class DeviceSpan {
 public:
  DeviceSpan() = default;
  DeviceSpan(T* data, std::int64_t count) : data_{data}, count_{count} {}
  /// What may be written may be read.
  DeviceSpan(const DeviceSpan<std::remove_const_t<T>>& other) requires(std::is_const_v<T>)
      : data_{other.data()}, count_{other.count()} {}
  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t bytes() const { return count_ * std::int64_t{sizeof(T)}; }

  /// `count` elements from `first` on; they must be there.
  [[nodiscard]] DeviceSpan part(std::int64_t first, std::int64_t count) const {
    SYNTHOSCOPE_ASSERT(first, >=, 0);
    SYNTHOSCOPE_ASSERT(count, >=, 0);
    SYNTHOSCOPE_ASSERT(first, <=, count_ - count);
    return {data_ + first, count};
  }

 private:
  T* data_ = nullptr;
  std::int64_t count_ = 0;
};

/// Uninitialised elements on a device; `budget` is the device's own.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  /// @throws PlanError  the budget is exceeded.  @throws OutOfDeviceMemory, CudaError
  DeviceBuffer(DeviceId device, MemoryBudget& budget, std::int64_t count, std::string_view what)
      : reservation_{budget.reserve(count * std::int64_t{sizeof(T)}, what)},
        memory_{allocate_device(device, count * std::int64_t{sizeof(T)}, what)},
        count_{count} {}

  [[nodiscard]] DeviceSpan<T> span() const { return {data(), count_}; }
  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.get()); }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t bytes() const { return count_ * std::int64_t{sizeof(T)}; }
  [[nodiscard]] DeviceId device() const { return memory_.device(); }

 private:
  Reservation reservation_;
  UniqueHandle<DeviceMemoryTraits> memory_;
  std::int64_t count_ = 0;
};

/// Uninitialised elements on the host that stay in memory; `budget` is the host's.
template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PinnedBuffer() = default;
  /// @throws PlanError  the budget is exceeded.  @throws OutOfDeviceMemory, CudaError
  PinnedBuffer(DeviceId device, MemoryBudget& budget, std::int64_t count, std::string_view what)
      : reservation_{budget.reserve(count * std::int64_t{sizeof(T)}, what)},
        memory_{allocate_pinned(device, count * std::int64_t{sizeof(T)}, what)},
        count_{count} {}

  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.get().data); }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t bytes() const { return count_ * std::int64_t{sizeof(T)}; }

 private:
  Reservation reservation_;
  UniqueHandle<PinnedMemoryTraits> memory_;
  std::int64_t count_ = 0;
};

}  // namespace synthoscope::cuda
