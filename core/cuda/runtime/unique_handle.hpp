// SPDX-License-Identifier: MIT
// core/cuda/runtime/unique_handle.hpp — one owner for streams, events, memory and loaded code of a
// device.
#pragma once
#include <utility>
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::cuda {

/// Owns one `Traits::Raw` of a device. `Traits::release(raw, device)` frees it and never throws;
/// `Traits::null()` means no handle. A handle is null after a move.
template <class Traits>
class UniqueHandle {
 public:
  using Raw = typename Traits::Raw;
  UniqueHandle() = default;
  UniqueHandle(Raw raw, DeviceId device) : raw_{raw}, device_{device} {}
  UniqueHandle(UniqueHandle&& other) noexcept
      : raw_{std::exchange(other.raw_, Traits::null())}, device_{other.device_} {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    UniqueHandle taken{std::move(other)};
    std::swap(raw_, taken.raw_);
    std::swap(device_, taken.device_);
    return *this;
  }
  ~UniqueHandle() {
    if (raw_ != Traits::null()) Traits::release(raw_, device_);
  }

  [[nodiscard]] Raw get() const { return raw_; }
  [[nodiscard]] DeviceId device() const { return device_; }

 private:
  Raw raw_ = Traits::null();
  DeviceId device_;
};

}  // namespace synthoscope::cuda
