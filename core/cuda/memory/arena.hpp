// SPDX-License-Identifier: MIT
// core/cuda/memory/arena.hpp — one reservation of a device, carved into named pieces as the plan
// says.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "core/cuda/memory/buffer.hpp"

namespace synthoscope::cuda {

/// Where pieces lie that are carved one after another. Plain counting, without a device: a planner
/// learns from it how large an arena has to be.
class ArenaLayout {
 public:
  /// Every piece begins at a multiple of this, in bytes.
  static constexpr std::int64_t kAlignment = 256;

  struct Piece {
    std::string name;
    std::int64_t offset_bytes = 0, bytes = 0;
  };

  /// The offset of the next piece. @throws PlanError  sizes beyond 63 bits, or negative ones.
  std::int64_t add(std::int64_t bytes, std::string_view name);

  /// Up to the end of the last piece, rounded up to the alignment.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<Piece> pieces_;
  std::int64_t bytes_ = 0;
};

/// Memory of a device, taken once. Pieces are its until it goes.
class Arena {
 public:
  /// @throws PlanError  `budget`, the device's own, is passed.  @throws OutOfDeviceMemory,
  /// CudaError
  Arena(DeviceId device, MemoryBudget& budget, std::int64_t bytes)
      : memory_{device, budget, bytes, "the work of a run"} {}

  /// Returns the next `count` elements, uninitialized. Enqueues nothing and allocates nothing.
  /// @throws PlanError  the arena is full: the plan counted fewer pieces.
  template <class T>
  DeviceSpan<T> take(std::int64_t count, std::string_view name) {
    static_assert(alignof(T) <= ArenaLayout::kAlignment);
    return {reinterpret_cast<T*>(carve(count * std::int64_t{sizeof(T)}, name)), count};
  }

  /// Frees all pieces at once; none of them may be used any more.
  void clear() { layout_ = {}; }

  [[nodiscard]] DeviceId device() const { return memory_.device(); }
  [[nodiscard]] std::int64_t bytes() const { return memory_.bytes(); }
  [[nodiscard]] const ArenaLayout& layout() const { return layout_; }

 private:
  std::byte* carve(std::int64_t bytes, std::string_view name);
  DeviceBuffer<std::byte> memory_;
  ArenaLayout layout_;
};

}  // namespace synthoscope::cuda
