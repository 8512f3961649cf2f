// SPDX-License-Identifier: MIT
#include "simulator/report/psf_profile.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"

namespace synthoscope::simulator {
namespace {

Volume<float> gaussian(const Extent3& extent, const Index3& centre, const VoxelSize& pitch,
                       double deviation_um) {
  Volume<float> psf{extent};
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const double dz = static_cast<double>(z - centre.z) * pitch.z_um;
        const double dy = static_cast<double>(y - centre.y) * pitch.y_um;
        const double dx = static_cast<double>(x - centre.x) * pitch.x_um;
        psf.view()(z, y, x) = static_cast<float>(
            3 * std::exp(-(dz * dz + dy * dy + dx * dx) / (2 * deviation_um * deviation_um)));
      }
  return psf;
}

TEST(PsfProfiles, HaveTheWidthOfAGaussianAlongEveryAxis) {
  const VoxelSize pitch{0.1, 0.05, 0.04};
  const Index3 centre{9, 21, 17};  // not the middle
  const auto psf = gaussian({21, 41, 51}, centre, pitch, 0.25);
  MemorySource source{std::as_const(psf).view()};
  const auto profiles = psf_profiles(source, centre, pitch);
  for (const auto& profile : profiles) {
    ASSERT_TRUE(profile.width_um());
    EXPECT_NEAR(*profile.width_um(), 2 * std::sqrt(2 * std::log(2)) * 0.25, 2e-3 * 0.5887);
    EXPECT_EQ(*std::max_element(profile.values.begin(), profile.values.end()), 1);
  }
  EXPECT_DOUBLE_EQ(profiles[1].um.front(), -21 * 0.05);
}

TEST(PsfProfiles, HaveTheWidthOfAGaussianOfFewVoxels) {
  const VoxelSize pitch{0.25, 0.2, 0.2};
  const auto psf = gaussian({15, 15, 15}, {7, 7, 7}, pitch, 0.25);
  MemorySource source{std::as_const(psf).view()};
  for (const auto& profile : psf_profiles(source, {7, 7, 7}, pitch)) {
    ASSERT_TRUE(profile.width_um());
    EXPECT_NEAR(*profile.width_um(), 2 * std::sqrt(2 * std::log(2)) * 0.25, 0.01 * 0.5887);
  }
}

TEST(PsfProfiles, HaveNoWidthThatTheWindowDoesNotShow) {
  const auto psf = gaussian({3, 9, 9}, {1, 4, 4}, {0.1, 0.1, 0.1}, 0.3);
  MemorySource source{std::as_const(psf).view()};
  for (const auto& profile : psf_profiles(source, {1, 4, 4}, {0.1, 0.1, 0.1}))
    EXPECT_EQ(profile.width_um().has_value(), profile.um.size() == 9);
}

TEST(PsfProfiles, HaveNoWidthWithoutLight) {
  const Volume<float> dark{{3, 5, 5}};
  MemorySource source{dark.view()};
  for (const auto& profile : psf_profiles(source, {1, 2, 2}, {0.1, 0.1, 0.1}))
    EXPECT_EQ(profile.width_um(), std::nullopt);
}

}  // namespace
}  // namespace synthoscope::simulator
