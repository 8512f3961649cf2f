// SPDX-License-Identifier: MIT
#include "deconvolution/filters/noise_to_signal.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <limits>
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/gaussian_psf.hpp"

namespace synthoscope::deconvolution {
namespace {

/// White light of variance 1, blurred, with white noise of a variance.
Volume<double> white_scene(const Extent3& extent, const Volume<double>& psf, double variance) {
  const double half_range = std::sqrt(3.0);  // of numbers whose variance is 1
  const auto light = synthoscope::test::noise(extent, 1, -half_range, half_range),
             noise = synthoscope::test::noise(extent, 2, -half_range, half_range);
  fftconv::Problem problem;
  problem.image = extent;
  problem.kernel = psf.extent;
  problem.center = test::middle_of(psf.extent);
  problem.boundary = Boundary::wrap;
  auto image = synthoscope::test::run_convolution(light, psf, problem).result;
  for (std::size_t i = 0; i < image.voxels.size(); ++i)
    image.voxels[i] += std::sqrt(variance) * noise.voxels[i];
  return image;
}

/// The lambda with the least expected error of the blurred image: the sum over all frequencies of
/// (1 - H)^2 |K|^2 for the light, and of variance H^2 for the noise.
double best_lambda(double sigma, double variance, int axes) {
  const int steps = axes == 3 ? 12 : 40;
  double best = 0, least = 0;
  for (double lambda = variance / 4; lambda < 4 * variance; lambda *= 1.02) {
    double sum = 0;
    for (int z = 0; z < (axes == 3 ? steps : 1); ++z)
      for (int y = 0; y < steps; ++y)
        for (int x = 0; x < steps; ++x) {
          const auto along = [&](int i) { return test::gaussian_transfer(sigma, 0.5 * i / steps); };
          const double k2 = std::pow(along(z) * along(y) * along(x), 2);
          const double h = (1 + lambda) * k2 / (k2 + lambda);
          sum += (1 - h) * (1 - h) * k2 + variance * h * h;
        }
    if (best > 0 && sum >= least) continue;
    best = lambda;
    least = sum;
  }
  return best;
}

LambdaChoice choice_of(const Volume<double>& image, const Volume<double>& psf, int threads = 2) {
  synthoscope::test::TestContext run{threads};
  MemorySource image_source{ConstVoxelView{image.view()}}, psf_source{ConstVoxelView{psf.view()}};
  return choose_lambda(image_source, {&psf_source, 0, 1}, test::middle_of(psf.extent), run.context);
}

TEST(ChooseLambda, FindsTheRatioOfPowersOfAWhiteScene) {
  for (const Extent3& extent : {Extent3{1, 160, 150}, Extent3{16, 40, 44}})
    for (const double variance : {0.1, 0.01, 0.001}) {
      const auto psf = test::gaussian_psf({std::min<std::int64_t>(extent.z, 7), 9, 9}, 1);
      const LambdaChoice choice = choice_of(white_scene(extent, psf, variance), psf);
      const double best = best_lambda(1, variance, extent.z > 1 ? 3 : 2);
      EXPECT_GT(choice.lambda, best / 1.4) << fmt::format("{}", extent);
      EXPECT_LT(choice.lambda, best * 1.4) << fmt::format("{}", extent);
      // Near the ratio of powers, but for the factor 1 + lambda
      EXPECT_LT(choice.lambda, variance * 2);
      EXPECT_FALSE(choice.is_at_end);
    }
}

TEST(ChooseLambda, LooksAtFewBlocksOfALargeImage) {
  const auto psf = test::gaussian_psf({1, 9, 9}, 1);
  const LambdaChoice choice = choice_of(white_scene({1, 1100, 3300}, psf, 0.03), psf);
  EXPECT_EQ(choice.block, (Extent3{1, 1080, 1620})) << choice.block;
  EXPECT_EQ(choice.blocks, 2);
  EXPECT_GT(choice.lambda, 0.03 / 1.2);
  EXPECT_LT(choice.lambda, 0.03 * 1.2);
}

TEST(ChooseLambda, DependsNeitherOnBackgroundNorOnThreadsNorOnUnits) {
  const auto psf = test::gaussian_psf({1, 9, 9}, 1);
  auto image = white_scene({1, 100, 90}, psf, 0.03);
  const double before = choice_of(image, psf).lambda;
  EXPECT_EQ(choice_of(image, psf, 1).lambda, before);
  for (double& voxel : image.voxels) voxel = 1000 + 20 * voxel;
  EXPECT_EQ(choice_of(image, psf).lambda, before);
}

TEST(ChooseLambda, IsNotMisledByLightThatThePsfCannotPass) {
  const auto psf = test::gaussian_psf({1, 13, 13}, 2);
  auto image = white_scene({1, 96, 96}, psf, 0.03);
  const double before = choice_of(image, psf).lambda;
  for (std::int64_t y = 0; y < 96; ++y)
    for (std::int64_t x = 0; x < 96; ++x)
      image.view()(0, y, x) += std::cos(2 * std::numbers::pi * static_cast<double>(x) * 0.3);
  const double after = choice_of(image, psf).lambda;
  EXPECT_GT(after, before / 1.5);
  EXPECT_LT(after, before * 1.5);
}

TEST(ChooseLambda, RefusesAnImageWithoutSignal) {
  const auto psf = test::gaussian_psf({1, 5, 5}, 1);
  auto image = synthoscope::test::noise({1, 20, 20}, 1, 3, 3);
  EXPECT_THROW(choice_of(image, psf), InvalidInput);
  image = synthoscope::test::noise({1, 20, 20}, 1);
  image.voxels[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(choice_of(image, psf), InvalidInput);
}

}  // namespace
}  // namespace synthoscope::deconvolution
