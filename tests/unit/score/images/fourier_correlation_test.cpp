// SPDX-License-Identifier: MIT
#include "score/images/fourier_correlation.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>
#include "core/base/error.hpp"
#include "core/math/random.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/score/images/image_volumes.hpp"

namespace synthoscope::score {
namespace {

constexpr VoxelSize kVoxel{0.3, 0.1, 0.1};

FourierCurve shells_of(const Volume<double>& truth, const Volume<double>& result,
                       FourierWindow window, int threads = 2,
                       std::int64_t memory = std::int64_t{1} << 30) {
  return test::with_pair(
      truth, result,
      [&](const ScoredImage& t, const ScoredImage& r, const RunContext& context) {
        return fourier_shells(t, r, kVoxel, window, moments_of(t, r, context), context);
      },
      threads, memory);
}

FourierRings rings_of(const Volume<double>& truth, const Volume<double>& result,
                      FourierWindow window, int threads = 2) {
  return test::with_pair(
      truth, result,
      [&](const ScoredImage& t, const ScoredImage& r, const RunContext& context) {
        return fourier_rings(t, r, kVoxel, window, moments_of(t, r, context), context);
      },
      threads);
}

/// exp(2 pi i k n / length) for n < length.
std::vector<std::complex<double>> wave(std::int64_t k, std::int64_t length) {
  std::vector<std::complex<double>> values;
  for (std::int64_t n = 0; n < length; ++n)
    values.push_back(std::polar(
        1.0, 2 * std::numbers::pi * static_cast<double>(k * n) / static_cast<double>(length)));
  return values;
}

/// Waves of equal amplitude and random phase, of all frequencies up to `limit_per_um`, which are
/// white noise behind a filter with a sharp edge.
Volume<double> band_limited(const Extent3& extent, double limit_per_um) {
  const RandomStream random{17, RandomStage::phantom};
  Volume<double> image{extent};
  std::uint64_t draw = 0;
  for (std::int64_t kz = -(extent.z / 2); 2 * kz < extent.z; ++kz)
    for (std::int64_t ky = -(extent.y / 2); 2 * ky < extent.y; ++ky)
      for (std::int64_t kx = 0; 2 * kx < extent.x; ++kx) {
        const double f =
            std::hypot(static_cast<double>(kz) / (0.3 * static_cast<double>(extent.z)),
                       static_cast<double>(ky) / (0.1 * static_cast<double>(extent.y)),
                       static_cast<double>(kx) / (0.1 * static_cast<double>(extent.x)));
        if (f > limit_per_um) continue;
        const auto z = wave(kz, extent.z), y = wave(ky, extent.y), x = wave(kx, extent.x);
        const auto phase =
            std::polar(1.0, 2 * std::numbers::pi * uniform32(random.block(draw++)[0]));
        double* out = image.voxels.data();
        for (const auto& at_z : z)
          for (const auto& at_y : y) {
            const auto factor = phase * at_z * at_y;
            for (const auto& at_x : x)
              *out++ += factor.real() * at_x.real() - factor.imag() * at_x.imag();
          }
      }
  return image;
}

Volume<double> with_noise(const Volume<double>& image, double amplitude) {
  const RandomStream random{18, RandomStage::phantom};
  Volume<double> noisy = image;
  std::uint64_t draw = 0;
  for (double& voxel : noisy.voxels)
    voxel += amplitude * (uniform32(random.block(draw++)[0]) - 0.5);
  return noisy;
}

TEST(FourierShells, EndWhereTheBandOfTheTruthEnds) {
  const Extent3 extent{10, 30, 30};
  constexpr double kLimit = 2.0;  // per um: beyond the limit of z, 1.67, within that of y and x
  const auto image = band_limited(extent, kLimit);
  const FourierCurve curve = shells_of(image, with_noise(image, 1), FourierWindow::none);
  EXPECT_NEAR(curve.step_per_um, 1 / 3.0, 1e-12);
  EXPECT_EQ(curve.correlation.size(), 15u);
  EXPECT_EQ(curve.resolution.seventh.state, CrossingState::crossed);
  EXPECT_NEAR(1 / curve.resolution.seventh.um, kLimit, curve.step_per_um);
  EXPECT_NEAR(1 / curve.resolution.half_bit.um, kLimit, curve.step_per_um);
}

TEST(FourierRings, EndWhereTheBandOfTheTruthEnds) {
  constexpr double kLimit = 2.5;
  const auto image = band_limited({12, 64, 48}, kLimit);
  const FourierRings rings = rings_of(image, with_noise(image, 1), FourierWindow::none);
  EXPECT_NEAR(rings.all.step_per_um, 1 / 6.4, 1e-12);
  EXPECT_NEAR(1 / rings.all.resolution.seventh.um, kLimit, rings.all.step_per_um);
  EXPECT_NEAR(1 / rings.all.resolution.half.um, kLimit, rings.all.step_per_um);
  EXPECT_EQ(rings.planes.size(), 12u);
}

TEST(FourierRings, OfAPlaneAreThoseOfItsStack) {
  const auto image = test::wavy_truth({1, 40, 40});
  const FourierRings rings = rings_of(image, with_noise(image, 30), FourierWindow::tukey);
  EXPECT_EQ(rings.planes.at(0).half.state, CrossingState::crossed);
  EXPECT_NEAR(rings.planes.at(0).half.um, rings.all.resolution.half.um, 1e-12);
}

TEST(FourierShells, AreOneForTheSameImageOfAnyGainAndOffset) {
  const auto image = with_noise(test::wavy_truth({5, 14, 22}), 20);
  Volume<double> result = image;
  for (double& voxel : result.voxels) voxel = 1000 + 0.01 * voxel;
  const FourierCurve curve = shells_of(image, result, FourierWindow::tukey);
  for (const double correlation : curve.correlation) EXPECT_NEAR(correlation, 1, 1e-9);
  EXPECT_EQ(curve.resolution.seventh.state, CrossingState::above);
  EXPECT_TRUE(std::isnan(curve.resolution.seventh.um));
}

TEST(FourierShells, OfOppositeImagesBeginBelow) {
  const auto image = with_noise(test::wavy_truth({5, 14, 22}), 20);
  Volume<double> result = image;
  for (double& voxel : result.voxels) voxel = -voxel;
  const FourierCurve curve = shells_of(image, result, FourierWindow::hann);
  EXPECT_NEAR(curve.correlation[3], -1, 1e-12);
  EXPECT_EQ(curve.resolution.seventh.state, CrossingState::below);
}

TEST(FourierShells, CountEverySampleOnce) {
  // Steps of y and x are equal, and rings reach to their limit: within a square of 8 x 8
  // frequencies, those nearest to 1 are 8, to 2 are 12, ...
  const Volume<double> image = test::wavy_truth({1, 8, 8});
  const FourierCurve curve = rings_of(image, image, FourierWindow::none).all;
  std::vector<std::int64_t> expected(4);
  for (int ky = -4; ky < 4; ++ky)
    for (int kx = -4; kx < 4; ++kx) {
      const auto ring = static_cast<std::size_t>(std::lround(std::hypot(ky, kx)));
      if (ring >= 1 && ring <= 4) ++expected[ring - 1];
    }
  EXPECT_EQ(curve.samples, expected);
}

TEST(FourierShells, HaveTheSameBitsForAnyNumberOfThreads) {
  const Extent3 extent{7, 33, 40};
  const auto truth = test::wavy_truth(extent), result = test::wavy_result(extent);
  EXPECT_EQ(shells_of(truth, result, FourierWindow::tukey, 1).correlation,
            shells_of(truth, result, FourierWindow::tukey, 4).correlation);
  EXPECT_EQ(rings_of(truth, result, FourierWindow::tukey, 1).all.correlation,
            rings_of(truth, result, FourierWindow::tukey, 4).all.correlation);
}

TEST(FourierShells, SayHowMuchMemoryIsEnough) {
  const Extent3 extent{16, 64, 64};
  const auto truth = test::wavy_truth(extent), result = test::wavy_result(extent);
  const auto run = [&](std::int64_t memory) {
    return shells_of(truth, result, FourierWindow::tukey, 1, memory);
  };
  constexpr std::int64_t kLittle = 1 << 20;
  test::expect_failure<PlanError>([&] { run(kLittle); },
                                  {"score result.tif", "16x64x64", "leave the shells out"});
  const std::int64_t enough = test::size_behind("give --memory ", [&] { run(kLittle); });
  EXPECT_FALSE(run(enough).correlation.empty());
  EXPECT_THROW(run(test::less_than_named(enough)), PlanError);
}

TEST(FourierWindow, RisesFromTheFacesToOne) {
  const auto hann = window_weights(FourierWindow::hann, 4);
  EXPECT_NEAR(hann[0], std::pow(std::sin(std::numbers::pi / 8), 2), 1e-15);
  EXPECT_EQ(hann[0], hann[3]);
  const auto tukey = window_weights(FourierWindow::tukey, 16);  // an eighth is two voxels
  EXPECT_NEAR(tukey[0], std::pow(std::sin(std::numbers::pi / 8), 2), 1e-15);
  EXPECT_NEAR(tukey[1], std::pow(std::sin(3 * std::numbers::pi / 8), 2), 1e-15);
  for (std::size_t i = 2; i < 14; ++i) EXPECT_EQ(tukey[i], 1);
  EXPECT_EQ(tukey[1], tukey[14]);
  EXPECT_EQ(window_weights(FourierWindow::hann, 1), std::vector<double>{1});
}

}  // namespace
}  // namespace synthoscope::score
