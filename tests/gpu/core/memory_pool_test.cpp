// SPDX-License-Identifier: MIT
// Memory that a process keeps of a device is free to it, and taken again.
#include "core/cuda/memory/memory_pool.hpp"
#include <gtest/gtest.h>
#include <vector>
#include "core/base/error.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace synthoscope::cuda {
namespace {

using MemoryPool = GpuTest;

constexpr std::int64_t kCount = std::int64_t{1} << 26;

TEST_F(MemoryPool, IsFreeAndTakenAgain) {
  enable_pool(info);
  enable_pool(info);
  const void* first = nullptr;
  {
    const DeviceBuffer<float> taken{device, memory, kCount, "first"};
    first = taken.data();
    EXPECT_EQ(memory.used(), taken.bytes());
  }
  EXPECT_EQ(memory.used(), 0);
  EXPECT_GE(pool_bytes_free(device), 4 * kCount);
  const std::int64_t free = memory_of(device).free_bytes;
  const DeviceBuffer<float> again{device, memory, kCount, "again"};
  EXPECT_EQ(again.data(), first);
  EXPECT_LE(memory_of(device).free_bytes, free - again.bytes());
}

TEST_F(MemoryPool, IsWorkedWithAsOtherMemoryIs) {
  enable_pool(info);
  const Stream stream{device};
  for (const int value : {1, 2, 3}) {
    const DeviceBuffer<int> there{device, memory, kCount, "there"};
    const std::vector<int> sent(static_cast<std::size_t>(kCount), value);
    enqueue_copy(stream, there.data(), sent.data(), there.bytes());
    std::vector<int> found(sent.size());
    enqueue_copy(stream, found.data(), there.data(), there.bytes());
    stream.finish();
    EXPECT_EQ(found, sent);
  }
}

TEST_F(MemoryPool, GivesWayToWhatNeedsNearlyAll) {
  enable_pool(info);
  {
    std::vector<UniqueHandle<DeviceMemoryTraits>> pieces;
    for (int i = 0; i < 8; ++i) pieces.push_back(allocate_device(device, kCount, "a piece"));
  }
  EXPECT_GE(pool_bytes_free(device), 8 * kCount);
  const std::int64_t nearly_all = memory_of(device).free_bytes - (std::int64_t{1} << 30);
  EXPECT_NO_THROW(allocate_device(device, nearly_all, "nearly all"));
}

TEST_F(MemoryPool, WhatIsTakenIsKnown) {
  enable_pool(info);
  const std::int64_t before = pool_bytes_in_use(device);
  const auto piece = allocate_device(device, kCount, "a piece");
  EXPECT_EQ(pool_bytes_in_use(device) - before, kCount);
}

TEST_F(MemoryPool, MoreThanThereIsIsRefusedInASentence) {
  enable_pool(info);
  EXPECT_THROW(allocate_device(device, std::int64_t{1} << 50, "too much"), OutOfDeviceMemory);
  EXPECT_NO_THROW(allocate_device(device, 1 << 20, "little"));
}

}  // namespace
}  // namespace synthoscope::cuda
