// SPDX-License-Identifier: MIT
#include "core/run/host_buffer.hpp"
#include <gtest/gtest.h>
#include <malloc.h>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace synthoscope {
namespace {

TEST(AlignedMemory, IsWholeAndAligned) {
  for (const std::int64_t bytes : {0, 1, 63, 64, 65, 100'000, 9 << 20}) {
    void* const memory = allocate_aligned(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u) << bytes;
    std::memset(memory, 1, static_cast<std::size_t>(bytes));
    free_aligned(memory, bytes);
  }
}

TEST(AlignedMemory, IsUsedAgainOnceItIsFreed) {
  // With aligned_alloc of glibc 2.36 the heap grew to hundreds of megabytes
  std::vector<std::unique_ptr<char[]>> kept;  // what else is allocated lies between
  const auto heap_bytes = [] { return static_cast<std::int64_t>(::mallinfo2().arena); };
  const std::int64_t before = heap_bytes();
  for (std::int64_t i = 0; i < 10'000; ++i) {
    const std::int64_t sizes[] = {80'000 + 64 * (i % 3), 100'000, 60'000};
    void* const memory[] = {allocate_aligned(sizes[0]), allocate_aligned(sizes[1]),
                            allocate_aligned(sizes[2])};
    kept.push_back(std::make_unique<char[]>(40));
    for (int j = 0; j < 3; ++j) free_aligned(memory[j], sizes[j]);
  }
  EXPECT_LT(heap_bytes() - before, 8 << 20);
}

}  // namespace
}  // namespace synthoscope
