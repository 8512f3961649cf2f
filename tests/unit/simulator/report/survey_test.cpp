// SPDX-License-Identifier: MIT
#include "simulator/report/survey.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <random>
#include "core/stream/memory_stream.hpp"
#include "simulator/report/photon_transfer.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

TEST(TransferBin, TakesTheLineOutThatCountsFollow) {
  TransferBin bin;
  for (int i = 0; i < 1000; ++i) {
    const double light = 50 + 0.01 * i, noise = i % 2 == 0 ? 3 : -3;
    bin.add(light, 100 + 2 * light + noise);
  }
  EXPECT_NEAR(bin.variance(), 9, 0.01);
  TransferBin flat;  // equal light: the plain variance
  for (int i = 0; i < 1000; ++i) flat.add(0.1, i % 2 == 0 ? 4 : 8);
  EXPECT_NEAR(flat.variance(), 4, 1e-9);
}

/// 3 x 4 x 6 pixels of a camera that bins 2 x 2.
struct Recorded {
  Volume<std::uint16_t> image{{3, 4, 6}}, labels{{3, 8, 12}};
  Volume<float> photons{{3, 8, 12}};
  Recorded() {
    for (auto& voxel : photons.voxels) voxel = 2;
    for (auto& voxel : image.voxels) voxel = 10;
    photons.view()(2, 5, 9) = 40;  // under pixel (2, 2, 4)
    image.view()(2, 2, 4) = 90;
    labels.view()(2, 5, 9) = 7;  // its centre
    image.view()(0, 0, 0) = 255;
  }
};

TEST(Survey, LooksAtEveryPixelOnce) {
  Recorded of;
  MemorySource image{std::as_const(of.image).view()}, photons{std::as_const(of.photons).view()},
      labels{std::as_const(of.labels).view()};
  test::TestContext machine;
  const auto seen =
      survey({image, photons, labels, {{3, 4, 6}, {1, 0.5, 0.5}}, 2, 255}, machine.context);
  EXPECT_EQ(seen.brightest, (Index3{2, 2, 4}));
  EXPECT_EQ(seen.background_histogram[10], 3 * 4 * 6 - 2);
  EXPECT_EQ(seen.background_histogram[255], 1);
  EXPECT_EQ(seen.object_histogram[90], 1);
  double pixels = 0;
  for (const auto& bin : seen.transfer) pixels += bin.pixels;
  EXPECT_EQ(pixels, 3 * 4 * 6 - 1);
  EXPECT_EQ(seen.transfer.front().clipped, 1);
  EXPECT_EQ(seen.transfer.front().mean_photons(), 8);
  EXPECT_EQ(seen.transfer.back().mean_photons(), 46);
}

TEST(Survey, ProjectsTheLargestValuesAlongEveryAxis) {
  Recorded of;
  MemorySource image{std::as_const(of.image).view()}, photons{std::as_const(of.photons).view()},
      labels{std::as_const(of.labels).view()};
  test::TestContext machine;
  const auto seen =
      survey({image, photons, labels, {{3, 4, 6}, {1, 0.5, 0.5}}, 2, 255}, machine.context);
  const auto at = [](const Slice& slice, std::int64_t row, std::int64_t column) {
    return slice.values[static_cast<std::size_t>(row * slice.columns + column)];
  };
  EXPECT_EQ(at(seen.image.yx, 2, 4), 90);
  EXPECT_EQ(at(seen.image.zx, 2, 4), 90);
  EXPECT_EQ(at(seen.image.yz, 2, 2), 90);
  EXPECT_EQ(at(seen.image.yz, 0, 0), 255);
  EXPECT_EQ(at(seen.image.yz, 3, 1), 10);
  EXPECT_EQ(at(seen.photons.yx, 2, 4), 46);
  EXPECT_EQ(at(seen.labels.zx, 2, 4), 7);
  EXPECT_EQ(seen.image.yz.column_um, 1);
}

TEST(TransferModel, IsTheVarianceOfASimulatedCamera) {
  // An electron-multiplying camera drawn pixel by pixel, by the definition of its figures
  const TransferModel model{.quantum_efficiency = 0.9,
                            .dark_electrons = 0.1,
                            .gain = 0.3,
                            .multiplication = 20,
                            .excess = 2 - 1.0 / 20,
                            .read_noise = 30,
                            .read_noise_spread = 0.2,
                            .gain_spread = 0.02,
                            .offset_spread = 3};
  std::mt19937_64 random{5};
  std::normal_distribution<double> normal;
  constexpr double kPhotons = 200, kPixels = 400'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kPixels; ++i) {
    const auto n = std::poisson_distribution<int>{kPhotons * 0.9 + 0.1}(random);
    const double more = std::gamma_distribution<double>{static_cast<double>(n)}(random);
    const auto out = n + std::poisson_distribution<int>{19 * more}(random);
    const double read = 30 * (1 + 0.2 * normal(random)) * normal(random);
    const double gain = 0.3 * (1 + 0.02 * normal(random));
    const double count = std::round(gain * (out + read) + 100 + 3 * normal(random));
    sum += count, squares += count * count;
  }
  const double variance = squares / kPixels - sum / kPixels * (sum / kPixels);
  EXPECT_NEAR(variance / model.variance(kPhotons), 1, 0.01);  // its own error: 0.25 %
}

}  // namespace
}  // namespace synthoscope::simulator
