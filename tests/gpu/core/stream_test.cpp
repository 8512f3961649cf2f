// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/stream.hpp"
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace synthoscope::cuda {
namespace {

using Streams = GpuTest;

TEST_F(Streams, MoveAndLeaveNothingBehind) {
  Stream a{device};
  const StreamHandle handle = a.handle();
  Stream b{std::move(a)};
  EXPECT_EQ(b.handle(), handle);
  EXPECT_EQ(a.handle(), nullptr);  // NOLINT(bugprone-use-after-move): that is the promise
  b = Stream{device};
  b.finish();
}

TEST_F(Streams, AreOrderedByEvents) {
  // Many rounds of a slow and a quick stream: without the order, one of them would show
  const std::int64_t count = 1 << 20;
  const DeviceBuffer<std::byte> work{device, memory, 64 * count, "slow work"};
  const PinnedBuffer<std::uint8_t> in{device, host, count, "in"}, out{device, host, count, "out"};
  const DeviceBuffer<std::uint8_t> values{device, memory, count, "values"};
  Stream up{device}, down{device};
  Event filled{device}, taken{device};
  for (int round = 1; round <= 20; ++round) {
    std::fill_n(in.data(), count, static_cast<std::uint8_t>(round));
    enqueue_zeros(up, work.data(), work.bytes());
    enqueue_copy(up, values.data(), in.data(), count);
    filled.record(up);
    down.wait_for(filled);
    enqueue_copy(down, out.data(), values.data(), count);
    taken.record(down);
    up.wait_for(taken);
    taken.finish();
    ASSERT_EQ(out.data()[0], round);
    ASSERT_EQ(out.data()[count - 1], round);
  }
}

TEST_F(Streams, TellTheTimeBetweenEvents) {
  const DeviceBuffer<std::byte> work{device, memory, std::int64_t{1} << 29, "work"};
  Stream stream{device};
  Event start{device}, middle{device}, end{device};
  start.finish();  // an event that was never recorded holds nothing up
  enqueue_zeros(stream, work.data(), work.bytes());
  start.record(stream);
  enqueue_zeros(stream, work.data(), work.bytes());
  middle.record(stream);
  for (int i = 0; i < 9; ++i) enqueue_zeros(stream, work.data(), work.bytes());
  end.record(stream);
  const double one = seconds_between(start, middle), nine = seconds_between(middle, end);
  EXPECT_GT(one, 1e-5) << "half a GiB is not written at 50 TB/s";
  EXPECT_LT(one, 1);
  EXPECT_GT(nine, 4 * one);
  EXPECT_LT(nine, 20 * one);
}

}  // namespace
}  // namespace synthoscope::cuda
