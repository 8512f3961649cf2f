// SPDX-License-Identifier: MIT
// Several devices at once make the bits of one. Where there is one device alone, it plays several.
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/resident_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "multigpu/make_executor.hpp"
#include "tests/gpu/device_doors.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::multigpu {
namespace {

/// The first `count`, again from the first where there are fewer.
std::vector<cuda::DeviceInfo> devices_of(std::size_t count) {
  const auto there = cuda::list_devices().devices;
  std::vector<cuda::DeviceInfo> devices;
  for (std::size_t i = 0; i < count; ++i) devices.push_back(there[i % there.size()]);
  return devices;
}

class ManyDevices : public cuda::GpuTest {
 protected:
  static std::unique_ptr<fftconv::Executor> executor_of(std::size_t members) {
    return make_executor({std::int64_t{8} << 30}, devices_of(members));
  }
  /// A ring in turns of 24 planes.
  [[nodiscard]] fftconv::Plan ring(Boundary boundary) const {
    fftconv::Problem problem;
    problem.image = image_.extent;
    problem.kernel = kernel_.extent;
    problem.center = {4, 3, 3};
    problem.boundary = boundary;
    auto plan = plan_convolution(problem, {std::int64_t{8} << 30}, fftconv::Strategy::ring);
    plan.transform.z = 32;
    plan.cut.result.z = 24;
    plan.cut.direct_z = false;
    plan = test::moved(plan, info, 4);
    EXPECT_EQ(fftconv::step_count(plan), 13);
    return plan;
  }
  void run(fftconv::Executor& executor, const fftconv::Plan& plan, Source& image,
           Epilogue& epilogue, Sink& sink) {
    MemorySource kernel{VoxelView{kernel_floats_.view()}};
    const std::vector<fftconv::Term> terms{{&image, {&kernel}, {}}};
    executor.run(plan, terms, epilogue, sink, context_.context);
  }
  Volume<double> image_ = test::noise({300, 200, 190}, 5, 0, 60000),
                 kernel_ = test::noise({9, 8, 7}, 6, 0, 50000);
  Volume<float> kernel_floats_ = floats_of(kernel_);
  test::TestContext context_{4, std::int64_t{8} << 30};

  static Volume<float> floats_of(const Volume<double>& voxels) {
    Volume<float> floats{voxels.extent};
    std::copy(voxels.voxels.begin(), voxels.voxels.end(), floats.voxels.begin());
    return floats;
  }
};

TEST_F(ManyDevices, MakeTheBitsOfOne) {
  for (const Boundary boundary : {Boundary::zero, Boundary::reflect}) {
    const auto plan = ring(boundary);
    const auto made_by = [&](std::size_t members) {
      const auto executor = executor_of(members);
      return test::run_plan_on(*executor, plan, image_, kernel_, 4, PixelType::uint16).result;
    };
    const auto one = made_by(1);
    EXPECT_GT(std::accumulate(one.voxels.begin(), one.voxels.end(), 0.0), 0);
    for (const std::size_t members : {2u, 3u, 4u})
      EXPECT_EQ(made_by(members).voxels, one.voxels) << members << " devices";
  }
}

/// Sources and epilogues work where the planes are: on every device.
TEST_F(ManyDevices, MakeAndFinishVoxelsEachOfItsOwn) {
  const Extent3 e = image_.extent;
  const auto plan = ring(Boundary::zero);
  std::vector<std::uint16_t> one;
  for (const std::size_t members : {1u, 2u, 3u}) {
    test::MadeOnDevice source{e};
    test::HalvedOnDevice halved;
    test::CheckingSink<std::uint16_t> sink{e, BoxOrder::any};
    run(*executor_of(members), plan, source, halved, sink);
    EXPECT_TRUE(sink.whole());
    EXPECT_EQ(halved.applied, static_cast<unsigned>(volume(e)));
    if (members == 1) one = sink.kept.voxels;
    EXPECT_EQ(sink.kept.voxels, one) << members << " devices";
  }
  EXPECT_GT(std::accumulate(one.begin(), one.end(), std::int64_t{0}), 0);
  EXPECT_TRUE(context_.log.notes.empty()) << "one did it all: " << context_.log.notes.front();
}

/// Image and result lie on the devices, a share on each.
TEST_F(ManyDevices, ConvolveWhatIsResidentOnThem) {
  const Volume<float> image = floats_of(image_);
  const Extent3 e = image.extent;
  const auto plan = ring(Boundary::zero);
  std::vector<float> one;
  for (const std::size_t members : {1u, 2u, 3u}) {
    const auto devices = devices_of(members);
    const std::vector<MemoryBudget*> budgets(members, &memory);
    const cuda::SpreadMemory in{devices, budgets, volume(e) * 4, "image"},
        out{devices, budgets, volume(e) * 4, "result"};
    cuda::ResidentSink{in, e, PixelType::float32}.write(whole(e), {image.view()});
    cuda::ResidentSource source{in, e, PixelType::float32};
    cuda::ResidentSink sink{out, e, PixelType::float32};
    StoreAs as_it_is{PixelType::float32};
    run(*executor_of(members), plan, source, as_it_is, sink);
    Volume<float> result{e};
    cuda::ResidentSource{out, e, PixelType::float32}.read(whole(e), {result.view()});
    if (members == 1) one = result.voxels;
    EXPECT_EQ(result.voxels, one) << members << " devices";
  }
  EXPECT_GT(std::accumulate(one.begin(), one.end(), 0.0), 0);
  EXPECT_TRUE(context_.log.notes.empty()) << "one did it all: " << context_.log.notes.front();
}

struct PartsCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t parts;
  bool along_y;
  test::Manner manner;
};

using enum Boundary;
using enum fftconv::Shape;
constexpr PartsCase kPartsCases[] = {
    {"one_part", {24, 23, 21}, {24, 23, 21}, 1, false, {zero, same, false, false}},
    {"two", {24, 23, 21}, {24, 23, 21}, 2, false, {zero, same, false, false, PixelType::uint16}},
    {"three_full", {19, 17, 33}, {19, 17, 33}, 3, false, {zero, full, true, false}},
    {"four_small_kernel", {61, 15, 16}, {7, 4, 5}, 4, false, {nearest, same, false, true}},
    {"six_valid", {67, 25, 18}, {11, 25, 6}, 6, false, {zero, valid, false, false}},
    {"eight_few_planes", {9, 20, 14}, {5, 11, 7}, 8, false, {reflect, same, true, false}},
    {"of_16", {97, 11, 13}, {97, 11, 13}, 16, false, {zero, same, false, false, PixelType::uint8}},
    {"of_17", {97, 11, 13}, {97, 11, 13}, 17, false, {mirror, same, false, false}},
    {"along_y", {24, 40, 27}, {24, 40, 27}, 4, true, {wrap, same, true, true, PixelType::uint16}},
    {"flat", {1, 61, 64}, {1, 61, 64}, 8, false, {zero, same, false, false, PixelType::uint16}},
};

class PartsOfMany : public cuda::GpuTest, public testing::WithParamInterface<PartsCase> {};

TEST_P(PartsOfMany, MakeTheBitsOfOne) {
  const PartsCase& c = GetParam();
  const auto image = test::whole_numbers(c.image, 41, 120),
             kernel = test::noise(c.kernel, 42, -0.2, 1);
  const fftconv::Problem problem = test::problem_of(c.image, c.kernel, c.manner);
  const auto plan = test::plan_in_parts(problem, {c.parts, c.along_y, false, true}, info);
  ASSERT_EQ(plan.cut.parts, c.parts);
  const auto run = [&](std::size_t members) {
    const auto executor = make_executor(test::kLarge, devices_of(members));
    return test::run_plan_on(*executor, plan, image, kernel, 4, c.manner.type);
  };
  const auto one = run(1);
  EXPECT_GT(*std::max_element(one.result.voxels.begin(), one.result.voxels.end()), 0);
  for (const std::size_t members : {2u, 3u, 4u}) {
    const auto many = run(members);
    EXPECT_EQ(many.result.voxels, one.result.voxels) << members << " devices";
    EXPECT_LE(many.report.peak_device_bytes, plan.device_bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(Table, PartsOfMany, testing::ValuesIn(kPartsCases), test::kCaseName);

struct Stored {
  std::vector<float> voxels;
  std::int64_t non_finite = 0;
};

/// From and to one of the two memories.
Stored store_parts(const fftconv::Plan& plan, std::size_t members, HostMemory memory,
                   const cuda::PinnedBuffer<float>& image, const Volume<double>& kernel,
                   const cuda::PinnedBuffer<float>& result) {
  const Extent3 e = plan.problem.image;
  MemorySource f{ConstVoxelView{HostView3<const float>{image.data(), e}}, memory},
      g{ConstVoxelView{kernel.view()}};
  test::TestContext machine{4};
  std::fill(result.data(), result.data() + result.count(), -1.0F);
  MemorySink sink{VoxelView{HostView3<float>{result.data(), e}}, memory};
  StoreAs store{PixelType::float32};
  const std::vector<fftconv::Term> terms{{&f, {&g, 0, 1}, {}}};
  make_executor(test::kLarge, devices_of(members))->run(plan, terms, store, sink, machine.context);
  return {{result.data(), result.data() + result.count()}, store.non_finite()};
}

TEST_F(ManyDevices, SharePartsOfPinnedMemory) {
  const Extent3 extent{40, 30, 28};
  const cuda::PinnedBuffer<float> pinned{device, host, volume(extent), "an image"},
      result{device, host, volume(extent), "a result"};
  const auto image = test::noise(extent, 7), kernel = test::noise(extent, 8);
  std::copy(image.voxels.begin(), image.voxels.end(), pinned.data());
  for (const bool along_y : {false, true}) {
    const auto plan =
        test::plan_in_parts(test::problem_of(extent, extent, {}), {4, along_y, false, true}, info);
    const auto expected = store_parts(plan, 1, HostMemory::ordinary, pinned, kernel, result);
    EXPECT_EQ(expected.non_finite, 0);
    for (const std::size_t members : {1u, 2u, 3u}) {
      const auto stored = store_parts(plan, members, HostMemory::pinned, pinned, kernel, result);
      EXPECT_EQ(stored.voxels, expected.voxels) << members << " devices";
      EXPECT_EQ(stored.non_finite, 0);
    }
    // What is not finite is counted, whoever stores it
    pinned.data()[17] = std::numeric_limits<float>::infinity();
    const auto spoilt = store_parts(plan, 1, HostMemory::ordinary, pinned, kernel, result);
    EXPECT_GT(spoilt.non_finite, 0);
    for (const std::size_t members : {1u, 2u})
      EXPECT_EQ(store_parts(plan, members, HostMemory::pinned, pinned, kernel, result).non_finite,
                spoilt.non_finite);
    std::copy(image.voxels.begin(), image.voxels.end(), pinned.data());
  }
}

/// Ends with the first plane that is written.
class FailingSink final : public Sink {
 public:
  explicit FailingSink(const Extent3& extent) : extent_{extent} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3&, ConstVoxelView) override { throw IoError("the disk is full"); }
  void close() override {}

 private:
  Extent3 extent_;
};

TEST_F(ManyDevices, EndWhereOneFailsAndGiveBackTheirMemory) {
  const Extent3 extent{40, 30, 28};
  const auto image = test::noise(extent, 7), kernel = test::noise(extent, 8);
  MemorySource f{ConstVoxelView{image.view()}}, g{ConstVoxelView{kernel.view()}};
  const auto plan =
      test::plan_in_parts(test::problem_of(extent, extent, {}), {4, false, false, true}, info);
  test::TestContext machine{4};
  FailingSink sink{extent};
  StoreAs store{PixelType::float32};
  const std::vector<fftconv::Term> terms{{&f, {&g, 0, 1}, {}}};
  const auto executor = make_executor(test::kLarge, devices_of(3));
  EXPECT_THROW(executor->run(plan, terms, store, sink, machine.context), IoError);
  EXPECT_EQ(machine.memory.used(), 0);
}

}  // namespace
}  // namespace synthoscope::multigpu
