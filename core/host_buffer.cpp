// SPDX-License-Identifier: MIT
#include "core/host_buffer.hpp"
#include <sys/mman.h>
#include <new>

namespace synthoscope {

void* allocate_aligned(std::int64_t bytes) {
  constexpr std::size_t kCacheLine = 64, kHugePage = std::size_t{2} << 20;
  const auto wanted = static_cast<std::size_t>(bytes < 1 ? 1 : bytes);
  // Large spectra are walked with plane-sized strides: huge pages keep their addresses in the TLB
  const std::size_t alignment = wanted >= 4 * kHugePage ? kHugePage : kCacheLine;
  const std::size_t rounded = (wanted + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (!memory) throw std::bad_alloc{};
  if (alignment == kHugePage) ::madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

}  // namespace synthoscope
