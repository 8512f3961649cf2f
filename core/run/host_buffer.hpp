// SPDX-License-Identifier: MIT
// core/run/host_buffer.hpp — aligned host memory that a budget has counted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include "core/run/memory_budget.hpp"

namespace synthoscope {

/// From so many bytes on, allocate_aligned maps pages that hold nothing else.
inline constexpr std::int64_t kHugeAlignedBytes = std::int64_t{8} << 20;

/// Takes `bytes` aligned to 64, in huge pages where the system gives them; not zeroed beyond what
/// the system does. No more than these bytes, in whole pages, can become resident.
/// @throws std::bad_alloc
void* allocate_aligned(std::int64_t bytes);

/// Gives back what allocate_aligned took for `bytes`, to the system where it is large.
void free_aligned(void* memory, std::int64_t bytes) noexcept;

/// Uninitialised elements, aligned to a cache line (and so to every vector register).
template <class T>
class HostBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HostBuffer() = default;
  HostBuffer(MemoryBudget& budget, std::int64_t count, std::string_view what)
      : reservation_{budget.reserve(count * std::int64_t{sizeof(T)}, what)},
        data_{static_cast<T*>(allocate_aligned(count * std::int64_t{sizeof(T)})),
              Free{count * std::int64_t{sizeof(T)}}},
        count_{count} {}

  [[nodiscard]] T* data() const { return data_.get(); }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t bytes() const { return reservation_.bytes(); }

 private:
  struct Free {
    std::int64_t bytes = 0;
    void operator()(void* p) const { free_aligned(p, bytes); }
  };
  Reservation reservation_;
  std::unique_ptr<T, Free> data_;
  std::int64_t count_ = 0;
};

}  // namespace synthoscope
