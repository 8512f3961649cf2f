// SPDX-License-Identifier: MIT
// fftconv/device/passes/tables.hpp — small tables that device code reads, put there before a run.
#pragma once
#include <cstring>
#include <vector>
#include "core/base/assert.hpp"
#include "core/cuda/memory/buffer.hpp"

namespace synthoscope::fftconv::device {

/// Collects tables on the host, then brings all of them to the device at once.
class Tables {
 public:
  /// A table's place; ask `at` for it once `send` is done.
  struct Offset {
    std::int64_t offset = -1;  ///< none: a null pointer
  };

  template <class T>
  Offset add(const std::vector<T>& table) {
    if (table.empty()) return {};
    const auto offset = static_cast<std::int64_t>((bytes_.size() + 15) / 16 * 16);
    bytes_.resize(static_cast<std::size_t>(offset) + table.size() * sizeof(T));
    std::memcpy(bytes_.data() + offset, table.data(), table.size() * sizeof(T));
    return {offset};
  }

  /// @param room  bytes that all tables have, at least as many as they need
  void send(cuda::DeviceId device, MemoryBudget& device_memory, std::int64_t room,
            const cuda::Stream& stream) {
    const auto bytes = static_cast<std::int64_t>(bytes_.size());
    SYNTHOSCOPE_ASSERT(bytes, <=, room);
    buffer_ = {device, device_memory, room, "tables"};
    if (bytes > 0) cuda::enqueue_copy(stream, buffer_.data(), bytes_.data(), bytes);
  }

  template <class T>
  [[nodiscard]] const T* at(Offset place) const {
    return place.offset < 0 ? nullptr : reinterpret_cast<const T*>(buffer_.data() + place.offset);
  }

 private:
  std::vector<std::byte> bytes_;
  cuda::DeviceBuffer<std::byte> buffer_;
};

}  // namespace synthoscope::fftconv::device
