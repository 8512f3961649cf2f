// SPDX-License-Identifier: MIT
#include "core/cuda/memory/buffer.hpp"
#include <algorithm>
#include <numeric>
#include <vector>
#include "core/base/error.hpp"
#include "core/cuda/memory/arena.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/resident_stream.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::cuda {
namespace {

using Buffers = GpuTest;

std::vector<std::int32_t> counted(std::int64_t count) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 7);
  return values;
}

TEST_F(Buffers, CarryValuesUpAndDown) {
  const std::int64_t count = 100'003;
  const auto values = counted(count);
  const DeviceBuffer<std::int32_t> a{device, memory, count, "a"}, b{device, memory, count, "b"};
  const PinnedBuffer<std::int32_t> pinned{device, host, count, "pinned"};
  EXPECT_EQ(memory.used(), 2 * 4 * count);
  EXPECT_EQ(host.used(), 4 * count);
  const Stream stream{device};
  enqueue_copy(stream, a.data(), values.data(), a.bytes());
  enqueue_copy(stream, b.data(), a.data(), a.bytes());
  enqueue_copy(stream, pinned.data(), b.data(), b.bytes());
  stream.finish();
  EXPECT_EQ(std::vector(pinned.data(), pinned.data() + count), values);
}

TEST_F(Buffers, CarryRowsWithGapsBetweenThem) {
  const auto values = counted(5 * 11);  // 5 rows of 11, of which 7 are taken
  const DeviceBuffer<std::int32_t> rows{device, memory, 5 * 16, "rows"};
  const Stream stream{device};
  enqueue_zeros(stream, rows.data(), rows.bytes());
  enqueue_copy_rows(stream, rows.data(), 16 * 4, values.data(), 11 * 4, 7 * 4, 5);
  std::vector<std::int32_t> found(5 * 16);
  enqueue_copy(stream, found.data(), rows.data(), rows.bytes());
  stream.finish();
  for (std::size_t y = 0; y < 5; ++y)
    for (std::size_t x = 0; x < 16; ++x)
      EXPECT_EQ(found[16 * y + x], x < 7 ? values[11 * y + x] : 0) << y << ' ' << x;
}

/// Runs that follow each other pin their memory once.
TEST_F(Buffers, ThatArePinnedAreKeptForTheNextRun) {
  constexpr std::int64_t kPage = 65536;
  const auto pinned = [&](std::int64_t bytes) {
    return PinnedBuffer<std::byte>{device, memory, bytes, "bytes"};
  };
  EXPECT_EQ(kept_pinned_bytes(), 0);
  pinned(kPage);
  EXPECT_EQ(kept_pinned_bytes(), 0) << "nobody asked for it";
  {
    const KeepPinnedMemory keep;
    const std::byte* const first = pinned(3 * kPage).data();
    EXPECT_EQ(kept_pinned_bytes(), 3 * kPage);
    {
      const KeepPinnedMemory another;
      const auto again = pinned(3 * kPage - 17);
      EXPECT_EQ(again.data(), first);
      EXPECT_EQ(kept_pinned_bytes(), 0);
      const auto beside = pinned(2 * kPage);
      EXPECT_NE(beside.data(), first);
    }
    EXPECT_EQ(kept_pinned_bytes(), 5 * kPage);
    pinned(126 * kPage);  // the oldest of 131 gives way: at most 128 are kept
    EXPECT_EQ(kept_pinned_bytes(), 126 * kPage);
    pinned(129 * kPage);
    EXPECT_EQ(kept_pinned_bytes(), 126 * kPage) << "too large to be kept";
  }
  EXPECT_EQ(kept_pinned_bytes(), 0);
}

/// Several shares, on as many devices as there are.
TEST_F(Buffers, SpreadOverDevicesAreOneStretchOfAddresses) {
  const auto there = list_devices().devices;
  const Extent3 e{7, 500, 601};  // shares end within planes and rows
  std::vector<DeviceInfo> devices;
  for (std::size_t i = 0; i < 3; ++i) devices.push_back(there[i % there.size()]);
  const std::vector<MemoryBudget*> budgets(devices.size(), &memory);
  const SpreadMemory spread{devices, budgets, volume(e) * 4, "a volume"};
  EXPECT_GE(memory.used(), spread.bytes());
  const std::int64_t share = spread.bytes() / 3;
  EXPECT_EQ(spread.device_of(0, 1), devices[0].id);
  EXPECT_EQ(spread.device_of(spread.bytes() - 1, spread.bytes()), devices[2].id);
  EXPECT_EQ(spread.device_of(0, 2 * share).has_value(), there.size() == 1);
  const auto values = counted(volume(e));
  for (const DeviceInfo& one : devices) {  // each copies all of it
    const Stream stream{one.id};
    enqueue_zeros(stream, spread.data(), spread.bytes());
    enqueue_copy(stream, spread.data(), values.data(), spread.bytes());
    std::vector<std::int32_t> found(values.size());
    enqueue_copy(stream, found.data(), spread.data(), spread.bytes());
    stream.finish();
    EXPECT_EQ(found, values);
    const DeviceBuffer<std::int32_t> here{one.id, memory, volume(e), "a copy"};
    enqueue_copy_rows(stream, here.data(), 4 * e.x, spread.data(), 4 * e.x, 4 * e.x, e.z * e.y);
    enqueue_zeros(stream, spread.data(), spread.bytes());
    enqueue_copy_rows(stream, spread.data(), 8 * e.x, here.data(), 8 * e.x, 4 * e.x, e.z * e.y / 2);
    enqueue_copy(stream, found.data(), spread.data(), spread.bytes());
    stream.finish();
    EXPECT_TRUE(std::equal(found.begin(), found.begin() + e.x, values.begin()));
    EXPECT_TRUE(std::equal(found.end() - 2 * e.x, found.end() - e.x, values.end() - 2 * e.x));
    EXPECT_EQ(std::accumulate(found.end() - e.x, found.end(), std::int64_t{0}), 0);
  }
}

/// What the host reads and writes of them: rows, planes, and columns of all rows.
TEST_F(Buffers, ThatAreResidentAreReadAndWrittenInBoxes) {
  const Extent3 e{4, 5, 6};
  const std::vector<DeviceInfo> devices{info};
  MemoryBudget* const budget = &memory;
  const SpreadMemory spread{devices, {&budget, 1}, volume(e) * 4, "a volume"};
  ResidentSink sink{spread, e, PixelType::float32};
  ResidentSource source{spread, e, PixelType::float32};
  Volume<float> voxels{e};
  std::iota(voxels.voxels.begin(), voxels.voxels.end(), 1.0F);
  sink.write(whole(e), VoxelView{voxels.view()});
  for (const Box3& box : {Box3{{1, 2, 1}, {2, 3, 4}},
                          {{1, 0, 0}, {3, 5, 6}},
                          {{2, 0, 3}, {2, 5, 3}},
                          {{0, 1, 0}, {4, 1, 6}},
                          {{1, 1, 1}, {0, 3, 4}}}) {
    Volume<float> found{box.size};
    source.read(box, VoxelView{found.view()});
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x)
          EXPECT_EQ(found.view()(z, y, x),
                    voxels.view()(z + box.origin.z, y + box.origin.y, x + box.origin.x))
              << box.origin.z << ' ' << z << ' ' << y << ' ' << x;
  }
}

TEST_F(Buffers, OfNothingTakeNothing) {
  const DeviceBuffer<float> none{device, memory, 0, "nothing"};
  EXPECT_EQ(none.data(), nullptr);
  const Stream stream{device};
  enqueue_copy(stream, nullptr, nullptr, 0);
  enqueue_zeros(stream, nullptr, 0);
  stream.finish();
}

TEST_F(Buffers, GiveBackWhatTheyTook) {
  // Free memory cannot be compared where other processes use the device: a leak shows by its end
  const std::int64_t bytes = memory_of(device).free_bytes / 3;
  MemoryBudget third{bytes, 0, "--gpu-memory"};
  for (int i = 0; i < 12; ++i) {
    DeviceBuffer<std::byte> first{device, third, bytes, "a third"};
    const DeviceBuffer<std::byte> second{std::move(first)};
    EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): that is the promise
    EXPECT_EQ(third.used(), bytes);
  }
  EXPECT_EQ(third.used(), 0);
}

TEST_F(Buffers, KeepThePromiseOfGpuMemory) {
  MemoryBudget small{1000, 0, "--gpu-memory"};
  test::expect_failure<PlanError>([&] { (void)DeviceBuffer<float>(device, small, 251, "spectra"); },
                                  {"spectra", "raise --gpu-memory"});
  EXPECT_EQ(DeviceBuffer<float>(device, small, 250, "spectra").bytes(), 1000);
}

TEST_F(Buffers, BeyondTheDeviceAreAFailureThatCanBeHandled) {
  MemoryBudget endless{INT64_MAX, 0, "--gpu-memory"};
  test::expect_failure<OutOfDeviceMemory>(
      [&] { (void)DeviceBuffer<std::byte>(device, endless, info.memory_bytes * 2, "all of it"); },
      {"all of it", "cudaErrorMemoryAllocation"});
  EXPECT_EQ(endless.used(), 0);
  EXPECT_EQ(DeviceBuffer<std::byte>(device, endless, 1000, "a little").bytes(), 1000);
}

TEST_F(Buffers, OfAnArenaLieApartAndAreAligned) {
  ArenaLayout wanted;
  wanted.add(3 * 4, "a");
  wanted.add(1000 * 8, "b");
  Arena arena{device, memory, wanted.bytes()};
  EXPECT_EQ(memory.used(), wanted.bytes());
  const auto a = arena.take<float>(3, "a");
  const auto b = arena.take<double>(1000, "b");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % ArenaLayout::kAlignment, 0u);
  EXPECT_EQ(reinterpret_cast<std::byte*>(b.data()) - reinterpret_cast<std::byte*>(a.data()), 256);
  test::expect_failure<PlanError>([&] { (void)arena.take<char>(1, "one more"); },
                                  {"one more", "a defect of the plan"});
  arena.clear();
  EXPECT_EQ(arena.take<float>(3, "again").data(), a.data());
}

}  // namespace
}  // namespace synthoscope::cuda
