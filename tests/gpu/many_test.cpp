// SPDX-License-Identifier: MIT
// Several devices at once make the bits of one. Where there is one device alone, it plays several.
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>
#include "core/cuda/resident_stream.hpp"
#include "core/memory_stream.hpp"
#include "core/store_as.hpp"
#include "fftconv/turn_steps.hpp"
#include "multigpu/make_executor.hpp"
#include "tests/gpu/device_doors.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::multigpu {
namespace {

class ManyDevices : public cuda::GpuTest {
 protected:
  /// As many as are asked for, of those that there are.
  static std::vector<cuda::DeviceInfo> devices_of(std::size_t members) {
    const auto there = cuda::list_devices().devices;
    std::vector<cuda::DeviceInfo> devices;
    for (std::size_t i = 0; i < members; ++i) devices.push_back(there[i % there.size()]);
    return devices;
  }
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
}

}  // namespace
}  // namespace synthoscope::multigpu
