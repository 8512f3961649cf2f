// SPDX-License-Identifier: MIT
#include "core/stream/carry.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"

namespace synthoscope {
namespace {

/// Stores the value plus a thousand times the plane's position.
class AddPosition final : public Epilogue {
 public:
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::uint16, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override {
    for (std::int64_t y = 0; y < core.size.y; ++y)
      for (std::int64_t x = 0; x < core.size.x; ++x)
        out.as<std::uint16_t>()(0, y, x) = static_cast<std::uint16_t>(
            std::lround(in(0, y, x)) + 1000 * static_cast<long>(core.origin.z));
  }
  void apply(const Box3&, HostView3<const double>, VoxelView) override {}
};

struct Machine {
  explicit Machine(int threads, std::int64_t bytes = 1 << 20) : pool{threads}, memory{bytes} {}
  TaskPool pool;
  MemoryBudget memory;
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  RunContext context() { return {pool, memory, progress, log, stop}; }
};

template <class T>
Volume<T> counted(const Extent3& extent) {
  Volume<T> volume{extent};
  T next = 0;
  for (T& v : volume.voxels) v = next++;
  return volume;
}

TEST(Carry, HandsEveryPlaneThroughOnceWhateverTheThreads) {
  const auto in = counted<std::int16_t>({5, 3, 4});
  for (const int threads : {1, 2, 7}) {
    Volume<std::uint16_t> out{in.extent};
    MemorySource source{in.view()};
    MemorySink sink{out.view()};
    AddPosition epilogue;
    Machine machine{threads};
    carry("add", source, epilogue, sink, machine.context());
    for (std::int64_t z = 0; z < 5; ++z)
      for (std::int64_t i = 0; i < 12; ++i)
        EXPECT_EQ(out.view().row(z, 0)[i], 1000 * z + 12 * z + i) << threads << " threads";
    EXPECT_EQ(machine.memory.used(), 0);
  }
}

TEST(Carry, StopsWhenAskedTo) {
  const auto in = counted<float>({5, 3, 4});
  Volume<std::uint16_t> out{in.extent};
  MemorySource source{in.view()};
  MemorySink sink{out.view()};
  AddPosition epilogue;
  Machine machine{2};
  machine.stop.request();
  EXPECT_THROW(carry("add", source, epilogue, sink, machine.context()), Interrupted);
}

TEST(Carry, TakesFewerPlanesAtOnceWhereMemoryIsShort) {
  const auto in = counted<float>({5, 3, 4});
  const Extent3 one{1, 3, 4};
  Volume<std::uint16_t> out{in.extent};
  MemorySource source{in.view()};
  MemorySink sink{out.view()};
  AddPosition epilogue;
  const std::int64_t enough = carry_bytes(one, PixelType::float32, PixelType::uint16);
  Machine machine{4, enough};
  carry("add", source, epilogue, sink, machine.context());
  EXPECT_EQ(out.voxels.back(), 4000 + 59);
  EXPECT_EQ(machine.memory.peak(), enough);
  Machine smaller{4, enough - 1};
  EXPECT_THROW(carry("add", source, epilogue, sink, smaller.context()), PlanError);
}

TEST(Carry, AsksTheBudgetBeforeItTakesMemory) {
  const auto in = counted<float>({5, 3, 4});
  Volume<std::uint16_t> out{in.extent};
  MemorySource source{in.view()};
  MemorySink sink{out.view()};
  AddPosition epilogue;
  Machine machine{2, 100};
  EXPECT_THROW(carry("add", source, epilogue, sink, machine.context()), PlanError);
}

}  // namespace
}  // namespace synthoscope
