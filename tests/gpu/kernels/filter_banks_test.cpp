// SPDX-License-Identifier: MIT
// A device answers a bank of filters as the host does, and in bricks as at once.
#include "kernels/banks/filter_banks.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/kernels/run_on_device.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels::device {
namespace {

class DeviceFilterBanks : public cuda::GpuTest {};

TEST_F(DeviceFilterBanks, AnswerAsTheHostDoes) {
  const auto image = test::pattern<std::uint16_t>({2, 61, 73});
  for (const FilterBank bank : {FilterBank::leung_malik, FilterBank::schmid, FilterBank::mr8})
    for (const FilterStrategy strategy : {FilterStrategy::automatic, FilterStrategy::global})
      for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
        if (strategy == FilterStrategy::global && boundary == Boundary::zero) continue;
        SCOPED_TRACE(testing::Message()
                     << name_of(bank) << " " << name_of(strategy) << " " << name_of(boundary));
        const NeighbourhoodSetting setting{image.extent, boundary};
        const auto here = make_filter_bank(setting, {bank}).operation;
        const auto expected = test::apply_whole<float>(*here, image, 4)[0];
        const auto there = make_filter_bank(setting, {bank, strategy}).operation;
        const auto found = test::run_on_device<float>(info, *there, image, std::int64_t{1} << 30);
        double worst = 0;
        for (std::size_t i = 0; i < expected.voxels.size(); ++i)
          worst = std::max(worst, std::abs(static_cast<double>(expected.voxels[i]) -
                                           static_cast<double>(found.voxels[i])));
        EXPECT_LE(worst, 2e-6 * 65535);  // the magnitudes of weights add up to 1
        if (strategy == FilterStrategy::global) continue;
        const auto again = make_filter_bank(setting, {bank}).operation;
        for (const std::int64_t bytes : {40000, 300000})
          EXPECT_EQ(test::run_on_device<float>(info, *again, image, bytes).voxels, found.voxels)
              << "other bits in bricks of " << bytes << " bytes";
      }
}

TEST_F(DeviceFilterBanks, RoundAndCountWhatIsStoredAsTheHostDoes) {
  const auto image = test::pattern<std::uint8_t>({1, 80, 90});
  const NeighbourhoodSetting setting{image.extent, Boundary::mirror, PixelType::uint8};
  const auto here = make_filter_bank(setting, {FilterBank::mr8}).operation;
  const auto expected = test::apply_whole<std::uint8_t>(*here, image, 4)[0];
  const auto there = make_filter_bank(setting, {FilterBank::mr8}).operation;
  const auto found =
      test::run_on_device<std::uint8_t>(info, *there, image, 100000, BoxOrder::planes_in_order);
  std::int64_t differ = 0;
  for (std::size_t i = 0; i < expected.voxels.size(); ++i)
    differ += expected.voxels[i] != found.voxels[i];
  EXPECT_LT(static_cast<double>(differ), 0.001 * static_cast<double>(expected.voxels.size()));
  EXPECT_GT(here->stored_counts().clipped, 0);
  EXPECT_NEAR(static_cast<double>(there->stored_counts().clipped),
              static_cast<double>(here->stored_counts().clipped), 5);
}

}  // namespace
}  // namespace synthoscope::kernels::device
