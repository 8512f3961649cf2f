// SPDX-License-Identifier: MIT
// Several devices at once make the bits of one. Where there is one device alone, it plays several.
#include <numeric>
#include "core/memory_stream.hpp"
#include "core/store_as.hpp"
#include "fftconv/turn_steps.hpp"
#include "multigpu/make_executor.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::multigpu {
namespace {

class ManyDevices : public cuda::GpuTest {
 protected:
  Volume<double> run(const fftconv::Plan& plan, std::size_t members) {
    const auto there = cuda::list_devices().devices;
    std::vector<cuda::DeviceInfo> devices;
    for (std::size_t i = 0; i < members; ++i) devices.push_back(there[i % there.size()]);
    const auto executor = make_executor({std::int64_t{8} << 30}, devices);
    return test::run_plan_on(*executor, plan, image_, kernel_, 4, PixelType::uint16).result;
  }
  Volume<double> image_ = test::noise({300, 200, 190}, 5, 0, 60000),
                 kernel_ = test::noise({9, 8, 7}, 6, 0, 50000);
};

TEST_F(ManyDevices, MakeTheBitsOfOne) {
  fftconv::Problem problem;
  problem.image = image_.extent;
  problem.kernel = kernel_.extent;
  problem.center = {4, 3, 3};
  for (const Boundary boundary : {Boundary::zero, Boundary::reflect}) {
    problem.boundary = boundary;
    auto plan = plan_convolution(problem, {std::int64_t{8} << 30}, fftconv::Strategy::ring);
    plan.transform.z = 32;  // turns of 24 planes
    plan.cut.result.z = 24;
    plan.cut.direct_z = false;
    plan = test::moved(plan, info, 4);
    ASSERT_EQ(fftconv::step_count(plan), 13);
    const auto one = run(plan, 1);
    EXPECT_GT(std::accumulate(one.voxels.begin(), one.voxels.end(), 0.0), 0);
    for (const std::size_t members : {2u, 3u, 4u})
      EXPECT_EQ(run(plan, members).voxels, one.voxels) << members << " devices";
  }
}

}  // namespace
}  // namespace synthoscope::multigpu
