// SPDX-License-Identifier: MIT
// Voxels travel as they are stored, from and to every memory, to every sink; a run that fails ends.
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/runtime/scoped_device.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/executor.hpp"
#include "tests/gpu/device_doors.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr PixelType kAllTypes[] = {PixelType::int8,    PixelType::uint8,  PixelType::int16,
                                   PixelType::uint16,  PixelType::int32,  PixelType::uint32,
                                   PixelType::float32, PixelType::float64};

/// A ring of some turns, of which no batch is as large as another.
struct Scene {
  explicit Scene(const cuda::DeviceInfo& device, BoxOrder order = BoxOrder::any) {
    problem.image = image.extent;
    problem.kernel = kernel.extent;
    problem.center = {3, 3, 2};
    problem.order = order;
    plan = plan_convolution(problem, kLarge, Strategy::ring);
    plan.transform.z = 16;  // turns of 10 planes
    plan.cut.result.z = 10;
    plan.cut.direct_z = false;
    plan = test::moved(plan, device, 4);
    for (float& v : image.voxels) v = std::floor(v);
  }
  static Volume<float> noise(const Extent3& extent, std::uint64_t seed, double low, double high) {
    const Volume<double> wide = test::noise(extent, seed, low, high);
    Volume<float> narrow{extent};
    std::transform(wide.voxels.begin(), wide.voxels.end(), narrow.voxels.begin(),
                   [](double v) { return static_cast<float>(v); });
    return narrow;
  }

  const Machine kLarge{std::int64_t{8} << 30};
  Volume<float> image = noise({47, 270, 61}, 5, 0, 500), kernel = noise({7, 6, 5}, 6, -1, 1.5);
  Problem problem;
  Plan plan;
};

class LinkTest : public cuda::GpuTest {
 protected:
  RunReport run(const Scene& scene, Epilogue& epilogue, Sink& sink, Source& image,
                Checkpoint* checkpoint = nullptr) {
    MemorySource g{ConstVoxelView{scene.kernel.view()}};
    const std::vector<Term> terms{{&image, {&g, 0, 1}, {}}};
    RunContext context = context_.context;
    context.checkpoint = checkpoint;
    return make_device_executor(info, test::kDeviceBytes, scene.kLarge)
        ->run(scene.plan, terms, epilogue, sink, context);
  }
  Volume<float> floats(const Scene& scene) {
    Volume<float> result{scene.image.extent};
    MemorySink sink{VoxelView{result.view()}};
    MemorySource f{ConstVoxelView{scene.image.view()}};
    StoreAs store{PixelType::float32};
    run(scene, store, sink, f);
    return result;
  }
  test::TestContext context_{available_threads()};
};

TEST_F(LinkTest, RoundsOnTheWayAsTheHostRoundsTheSameFloats) {
  const Scene scene{info};
  const Volume<float> exact = floats(scene);
  for (const PixelType type : kAllTypes)
    for (const BoxOrder order : {BoxOrder::any, BoxOrder::planes_in_order})
      visit_pixel_type(type, [&](auto zero) {
        using T = decltype(zero);
        Volume<T> expected{exact.extent};
        StoreAs here{type}, there{type};
        here.apply({{0, 0, 0}, exact.extent}, exact.view(), VoxelView{expected.view()});
        test::CheckingSink<T> sink{exact.extent, order};
        MemorySource f{ConstVoxelView{scene.image.view()}};
        run(scene, there, sink, f);
        EXPECT_TRUE(sink.whole());
        EXPECT_EQ(sink.kept.voxels, expected.voxels) << name_of(type);
        EXPECT_EQ(there.clipped(), here.clipped()) << name_of(type);
        EXPECT_EQ(there.non_finite(), 0);
        if (type == PixelType::uint8) {
          EXPECT_GT(here.clipped(), 1000);
        }
      });
}

TEST_F(LinkTest, CountsWhatIsNotFinite) {
  Scene scene{info};
  scene.image.voxels[1234] = std::numeric_limits<float>::infinity();
  const Volume<float> exact = floats(scene);
  Volume<std::uint16_t> expected{exact.extent};
  StoreAs here{PixelType::uint16}, there{PixelType::uint16};
  here.apply({{0, 0, 0}, exact.extent}, exact.view(), VoxelView{expected.view()});
  test::CheckingSink<std::uint16_t> sink{exact.extent, BoxOrder::any};
  MemorySource f{ConstVoxelView{scene.image.view()}};
  run(scene, there, sink, f);
  EXPECT_GT(there.non_finite(), 0);
  EXPECT_EQ(there.non_finite(), here.non_finite());
  EXPECT_EQ(there.clipped(), here.clipped());
}

TEST_F(LinkTest, GivesTheSameBitsFromAndToPinnedMemory) {
  const Scene scene{info};
  const Volume<float> expected = floats(scene);
  const std::int64_t voxels = volume(expected.extent);
  const cuda::PinnedBuffer<float> in{device, host, voxels, "image"},
      out{device, host, voxels, "result"};
  std::copy(scene.image.voxels.begin(), scene.image.voxels.end(), in.data());
  std::fill_n(out.data(), voxels, -1.0F);
  MemorySource f{ConstVoxelView{HostView3<const float>{in.data(), expected.extent}},
                 HostMemory::pinned};
  MemorySink sink{VoxelView{HostView3<float>{out.data(), expected.extent}}, HostMemory::pinned};
  StoreAs store{PixelType::float32};
  run(scene, store, sink, f);
  EXPECT_TRUE(std::equal(expected.voxels.begin(), expected.voxels.end(), out.data()));
}

TEST_F(LinkTest, StartsNoOtherDeviceThanItsOwn) {
  const std::vector<cuda::DeviceInfo> all = cuda::list_devices().devices;
  if (all.size() < 2) GTEST_SKIP() << "there is one GPU only";
  if (cuda::is_started(all.front().id)) GTEST_SKIP() << "another test has started the first GPU";
  info = all.back();
  const Scene scene{info};
  Volume<float> result{scene.image.extent};
  MemorySink sink{VoxelView{result.view()}};
  MemorySource f{ConstVoxelView{scene.image.view()}};
  StoreAs store{PixelType::float32};
  run(scene, store, sink, f);
  EXPECT_TRUE(cuda::is_started(info.id));
  for (const cuda::DeviceInfo& other : all)
    EXPECT_EQ(cuda::is_started(other.id), other == info) << other.id.index;
  EXPECT_EQ(result.voxels, floats(scene).voxels) << "the same bits the second time";
}

/// Passes on what it is given until the n-th time.
class ThrowingSource final : public Source {
 public:
  ThrowingSource(Source& source, int at) : source_{source}, at_{at} {}
  [[nodiscard]] Extent3 extent() const override { return source_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return source_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    if (++reads_ == at_) throw IoError("the file is gone");
    source_.read(box, out);
  }

 private:
  Source& source_;
  int at_;
  std::atomic<int> reads_{0};
};

class ThrowingSink final : public Sink {
 public:
  ThrowingSink(const Extent3& extent, int at) : extent_{extent}, at_{at} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint16; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3&, ConstVoxelView) override {
    if (++writes_ == at_) throw IoError("the disk is full");
  }
  void close() override {}

 private:
  Extent3 extent_;
  int at_;
  std::atomic<int> writes_{0};
};

TEST_F(LinkTest, EndsWhenASourceOrASinkFailsAndWorksAfterwards) {
  const Scene scene{info};
  const Volume<float> expected = floats(scene);
  MemorySource f{ConstVoxelView{scene.image.view()}};
  StoreAs store{PixelType::uint16};
  for (const int at : {1, 9, 40, 90}) {
    ThrowingSource source{f, at};
    test::CheckingSink<std::uint16_t> sink{scene.image.extent, BoxOrder::any};
    EXPECT_THROW(run(scene, store, sink, source), IoError) << "read " << at;
  }
  for (const int at : {1, 9, 40, 47}) {
    ThrowingSink full{scene.image.extent, at};
    EXPECT_THROW(run(scene, store, full, f), IoError) << "write " << at << " of 47 planes";
  }
  EXPECT_EQ(floats(scene).voxels, expected.voxels);
}

TEST_F(LinkTest, StopsWhenItIsAskedTo) {
  const Scene scene{info};
  MemorySource f{ConstVoxelView{scene.image.view()}};
  test::StoppingSource source{f, context_.stop, 30};
  test::CheckingSink<float> sink{scene.image.extent, BoxOrder::any};
  StoreAs store{PixelType::float32};
  EXPECT_THROW(run(scene, store, sink, source), Interrupted);
  EXPECT_FALSE(sink.whole());
}

/// Keeps how many boxes the sink had when a step was finished.
class KeepingCheckpoint final : public Checkpoint {
 public:
  explicit KeepingCheckpoint(std::int64_t before) : before_{before} {}
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override {
    return IntervalSet{{0, all}}.without(IntervalSet{{0, before_}});
  }
  void finish(const IntervalSet& steps) override { steps_.push_back(steps.all().front().first); }
  std::vector<std::int64_t> steps_;

 private:
  std::int64_t before_;
};

TEST_F(LinkTest, GoesOnBehindTheStepsThatAreFinished) {
  const Scene scene{info};
  const Volume<float> expected = floats(scene);
  const std::int64_t plane = expected.extent.y * expected.extent.x;
  for (const std::int64_t before : {0, 2, 4, 5}) {
    KeepingCheckpoint checkpoint{before};
    Volume<float> result{expected.extent};
    MemorySink sink{VoxelView{result.view()}};
    MemorySource f{ConstVoxelView{scene.image.view()}};
    StoreAs store{PixelType::float32};
    run(scene, store, sink, f, &checkpoint);
    std::vector<std::int64_t> steps;
    for (std::int64_t s = before; s < 5; ++s) steps.push_back(s);
    EXPECT_EQ(checkpoint.steps_, steps);
    const auto first = std::min<std::int64_t>(before * 10 * plane, volume(expected.extent));
    EXPECT_TRUE(std::equal(expected.voxels.begin() + first, expected.voxels.end(),
                           result.voxels.begin() + first));
    EXPECT_TRUE(std::all_of(result.voxels.begin(), result.voxels.begin() + first,
                            [](float v) { return v == 0; }));
  }
}

TEST_F(LinkTest, LetsSourcesAndEpiloguesWorkOnTheDevice) {
  Scene scene{info};
  const Extent3 e = scene.image.extent;
  for (std::int64_t i = 0; i < volume(e); ++i)
    scene.image.voxels[static_cast<std::size_t>(i)] =
        static_cast<float>((i / (e.y * e.x) * 31 + i / e.x % e.y * 7 + i % e.x * 3) % 251);
  const Volume<float> exact = floats(scene);
  std::vector<std::uint16_t> expected;
  for (const float v : exact.voxels)
    expected.push_back(static_cast<std::uint16_t>(std::min(std::abs(v), 60000.0F) * 0.5F));
  test::MadeOnDevice source{e};
  for (const BoxOrder order : {BoxOrder::any, BoxOrder::planes_in_order}) {
    test::HalvedOnDevice halved;
    test::CheckingSink<std::uint16_t> sink{e, order};
    run(scene, halved, sink, source);
    EXPECT_TRUE(sink.whole());
    EXPECT_EQ(sink.kept.voxels, expected);
    EXPECT_EQ(halved.applied, static_cast<unsigned>(volume(e)));
  }
}

/// A flat image's rows travel as planes, but are one plane for a sink that wants whole ones.
TEST_F(LinkTest, WritesAFlatImageWhole) {
  Problem problem;
  problem.image = {1, 97, 101};
  problem.kernel = {1, 5, 5};
  problem.center = {0, 2, 2};
  problem.order = BoxOrder::planes_in_order;
  const auto image = test::noise(problem.image, 1, 0, 99), kernel = test::noise(problem.kernel, 2);
  const Machine large{std::int64_t{8} << 30};
  const Plan plan = plan_convolution(problem, large, Strategy::in_core);
  const auto expected = test::run_plan(plan, image, kernel).result;
  MemorySource f{ConstVoxelView{image.view()}}, g{ConstVoxelView{kernel.view()}};
  const std::vector<Term> terms{{&f, {&g, 0, 1}, {}}};
  test::CheckingSink<float> sink{problem.image, BoxOrder::planes_in_order};
  StoreAs store{PixelType::float32};
  make_device_executor(info, test::kDeviceBytes, large)
      ->run(test::moved(plan, info), terms, store, sink, context_.context);
  EXPECT_TRUE(sink.whole());
  for (std::size_t i = 0; i < expected.voxels.size(); ++i)
    ASSERT_NEAR(static_cast<double>(sink.kept.voxels[i]), expected.voxels[i], 1e-2);
}

}  // namespace
}  // namespace synthoscope::fftconv
