// SPDX-License-Identifier: MIT
#include "core/run/host_buffer.hpp"
#include <sys/mman.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include "core/base/round_up.hpp"

namespace synthoscope {
namespace {

constexpr std::size_t kCacheLine = 64, kPage = 4096, kHugePage = std::size_t{2} << 20;

/// Large spectra are walked with plane-sized strides: huge pages keep their addresses in the TLB.
bool in_huge_pages(std::size_t bytes) {
  return bytes >= static_cast<std::size_t>(kHugeAlignedBytes);
}

/// Maps whole huge pages. The remainders at both ends are unmapped at once, so that they never
/// become resident together with a neighbour.
void* map_huge(std::size_t bytes) {
  const std::size_t wanted = round_up(bytes, kPage), mapped = wanted + kHugePage;
  void* const whole =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) throw std::bad_alloc{};
  auto* const base = static_cast<std::byte*>(whole);
  const std::size_t address = reinterpret_cast<std::uintptr_t>(base);
  const std::size_t before = round_up(address, kHugePage) - address;
  if (before > 0) ::munmap(base, before);
  ::munmap(base + before + wanted, mapped - before - wanted);
  ::madvise(base + before, wanted, MADV_HUGEPAGE);
  return base + before;
}

/// Malloc with a pointer to its own block before the aligned address. glibc's aligned_alloc asks
/// for more than it keeps, so that it cannot reuse what was freed (before 2.38): threads that
/// allocate and free again and again made the heap grow by megabytes each.
void* allocate_in_heap(std::size_t bytes) {
  void* const block = std::malloc(bytes + kCacheLine);
  if (!block) throw std::bad_alloc{};
  static_assert(alignof(std::max_align_t) >= sizeof(block), "room before an aligned address");
  const std::size_t address = reinterpret_cast<std::uintptr_t>(block);
  auto* const memory = static_cast<std::byte*>(block) + kCacheLine - address % kCacheLine;
  std::memcpy(memory - sizeof block, &block, sizeof block);
  return memory;
}

void free_in_heap(void* memory) noexcept {
  void* block = nullptr;
  std::memcpy(&block, static_cast<std::byte*>(memory) - sizeof block, sizeof block);
  std::free(block);
}

}  // namespace

void* allocate_aligned(std::int64_t bytes) {
  const auto wanted = static_cast<std::size_t>(bytes < 1 ? 1 : bytes);
  if (in_huge_pages(wanted)) return map_huge(wanted);
  return allocate_in_heap(wanted);
}

void free_aligned(void* memory, std::int64_t bytes) noexcept {
  const auto taken = static_cast<std::size_t>(bytes < 1 ? 1 : bytes);
  if (in_huge_pages(taken))
    ::munmap(memory, round_up(taken, kPage));
  else
    free_in_heap(memory);
}

}  // namespace synthoscope
