// SPDX-License-Identifier: MIT
// Pixels by themselves give what a camera records in runs: the counts and the report.
#include "simulator/detector/exposure.hpp"
#include <gtest/gtest.h>
#include "tests/support/camera_case.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

class ExposedPixels : public testing::TestWithParam<test::CameraCase> {};

TEST_P(ExposedPixels, AreThoseOfTheCamera) {
  const test::CameraCase& c = GetParam();
  CameraEpilogue camera{c.spec(), test::kCameraKey, test::kCameraVolume};
  const Volume<float> photons = test::photons_for(c);
  const std::int64_t bin = c.binning;
  const StreamFormat format = camera.format(c.box.size);
  std::vector<std::byte> counts(
      static_cast<std::size_t>(volume(format.extent) * size_of(format.type)));
  const VoxelView recorded_counts{counts.data(), format.type, format.extent};
  camera.apply(c.box, photons.view(), recorded_counts);

  CameraReport report;
  report.voxels = volume(format.extent);
  const CameraMaps& maps = camera.maps();
  const MapPointers pointers{maps.offset_dn.data(), maps.gain_dn_per_electron.data(),
                             maps.read_noise_electrons.data(),
                             maps.dark_current.empty() ? nullptr : maps.dark_current.data()};
  const Index3& first = c.box.origin;
  for (std::int64_t z = 0; z < format.extent.z; ++z)
    for (std::int64_t y = 0; y < format.extent.y; ++y)
      for (std::int64_t x = 0; x < format.extent.x; ++x) {
        const double expected = visit_pixel_type(format.type, [&](auto zero) {
          return static_cast<double>(recorded_counts.as<decltype(zero)>().row(z, y)[x]);
        });
        const double found =
            recorded(camera.exposure(), pointers, first.z + z, first.y / bin + y, first.x / bin + x,
                     {photons.view().row(z, y * bin) + x * bin, photons.extent.x}, report);
        ASSERT_EQ(found, expected) << z << ' ' << y << ' ' << x;
      }
  EXPECT_EQ(report, camera.report());
  EXPECT_GE(report.full_wells, c.saturates ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(Cameras, ExposedPixels, testing::ValuesIn(test::kCameraCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
