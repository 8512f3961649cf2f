// SPDX-License-Identifier: MIT
// Previews whose blur runs on a device: objects and light are those of the host, and photons differ
// in the last bits. The camera of both is the host's.
#include "studio/preview/preview.hpp"
#include <algorithm>
#include <cmath>
#include "fftconv/plan/gpu/layout.hpp"
#include "multigpu/make_executor.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/studio/preview/preview_case.hpp"

namespace synthoscope::studio {
namespace {

constexpr double kAccuracy = 1e-5;  ///< of the brightest voxel

/// Returns the largest difference of two stacks, of the brightest voxel.
double difference(const SharedStack& of, const SharedStack& from) {
  const auto a = std::as_const(*of).view().as<float>(), b = std::as_const(*from).view().as<float>();
  double most = 0, brightest = 0;
  for (std::int64_t i = 0; i < volume(of->extent); ++i) {
    most = std::max(most, std::abs(double{a.data()[i]} - double{b.data()[i]}));
    brightest = std::max(brightest, std::abs(double{b.data()[i]}));
  }
  return most / brightest;
}

class DevicePreview : public cuda::GpuTest, public testing::WithParamInterface<PreviewCase> {
 protected:
  Shown preview_on(bool with_gpu) {
    fftconv::Machine machine{std::int64_t{1} << 30};
    if (with_gpu) {
      machine.gpu = fftconv::Gpu{info.name, info.capability, fftconv::device::block_limits(info),
                                 std::int64_t{1} << 30};
      machine.gpu_only = true;
    }
    const auto blur = multigpu::make_executor(machine, {info});
    return Preview{*blur}.make({scene_of(GetParam()), {}, GetParam().frame}, run_.context);
  }

  synthoscope::test::TestContext run_;
};

TEST_P(DevicePreview, IsThatOfTheHost) {
  const Shown by_host = preview_on(false), by_device = preview_on(true);
  EXPECT_EQ(bytes_of(by_host.labels), bytes_of(by_device.labels));
  ASSERT_EQ(by_host.images.size(), by_device.images.size());
  for (std::size_t i = 0; i < by_host.images.size(); ++i) {
    EXPECT_EQ(bytes_of(by_host.images[i].psf), bytes_of(by_device.images[i].psf));
    EXPECT_LE(difference(by_device.images[i].light, by_host.images[i].light), kAccuracy);
    EXPECT_LE(difference(by_device.images[i].photons, by_host.images[i].photons), kAccuracy);
    EXPECT_EQ(by_device.images[i].counts->extent, by_host.images[i].counts->extent);
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, DevicePreview, testing::ValuesIn(kPreviewCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::studio
