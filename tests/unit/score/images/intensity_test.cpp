// SPDX-License-Identifier: MIT
#include "score/images/intensity.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/score/images/image_volumes.hpp"

namespace synthoscope::score {
namespace {

template <class A, class B>
PlaneMoments moments(const Volume<A>& truth, const Volume<B>& result, int threads = 2) {
  return test::with_pair(truth, result, moments_of, threads);
}

template <class T>
Volume<T> row_of(std::vector<T> voxels) {
  Volume<T> image{Extent3{1, 1, std::ssize(voxels)}};
  image.voxels = std::move(voxels);
  return image;
}

TEST(Intensity, IsWhatAHandComputes) {
  // Errors 1, -1, 2, 0
  const PairMoments m =
      moments(row_of<std::uint8_t>({1, 2, 3, 4}), row_of<float>({2, 1, 5, 4})).all;
  EXPECT_EQ(m.squared_error, 6);
  EXPECT_EQ(m.squared_truth, 30);
  EXPECT_EQ(m.range(), 3);
  EXPECT_EQ(m.truth_mean, 2.5);
  EXPECT_EQ(m.result_mean, 3);
  EXPECT_DOUBLE_EQ(nrmse(m.squared_error, m), std::sqrt(6.0 / 30));
  EXPECT_DOUBLE_EQ(psnr_db(m.squared_error, m), 10 * std::log10(9 / 1.5));
  // sum of dt^2 = 5, of dr^2 = 10, of dt dr = 5
  EXPECT_DOUBLE_EQ(pearson(m), 5 / std::sqrt(50.0));
  EXPECT_DOUBLE_EQ(best_fit(m).gain, 0.5);
  EXPECT_DOUBLE_EQ(best_fit(m).offset, 1);
}

TEST(Intensity, AfterTheBestFitHasNoErrorOfGainAndOffset) {
  const auto truth = test::wavy_truth({3, 20, 30});
  Volume<double> result = truth;
  for (double& voxel : result.voxels) voxel = 1e6 + 3 * voxel;
  const PlaneMoments m = moments(truth, result);
  const LinearFit fit = best_fit(m.all);
  EXPECT_NEAR(fit.gain, 1.0 / 3, 1e-9);
  const auto residuals = test::with_pair(
      truth, result, [&](const ScoredImage& t, const ScoredImage& r, const RunContext& context) {
        return squared_residuals(t, r, fit, context);
      });
  ASSERT_EQ(residuals.size(), 3u);
  EXPECT_LT(nrmse(residuals[0] + residuals[1] + residuals[2], m.all), 1e-10);
  EXPECT_NEAR(pearson(m.all), 1, 1e-12);
}

TEST(Intensity, IsUndefinedWhereNothingCanBeCompared) {
  const PairMoments dark = moments(row_of<float>({0, 0, 0}), row_of<float>({1, 2, 3})).all;
  EXPECT_TRUE(std::isnan(nrmse(dark.squared_error, dark)));
  EXPECT_TRUE(std::isnan(psnr_db(dark.squared_error, dark)));
  EXPECT_TRUE(std::isnan(pearson(dark)));
  const PairMoments flat = moments(row_of<float>({1, 2, 3}), row_of<float>({5, 5, 5})).all;
  EXPECT_EQ(best_fit(flat).gain, 0);
  EXPECT_EQ(best_fit(flat).offset, 2);
  const PairMoments same = moments(row_of<float>({1, 2, 3}), row_of<float>({1, 2, 3})).all;
  EXPECT_EQ(nrmse(same.squared_error, same), 0);
  EXPECT_EQ(psnr_db(same.squared_error, same), std::numeric_limits<double>::infinity());
}

TEST(Intensity, HasTheSameBitsForAnyNumberOfThreads) {
  // Several bands a plane
  const auto truth = test::wavy_truth({3, 500, 300});
  const auto result = test::wavy_result({3, 500, 300});
  const PairMoments one = moments(truth, result, 1).all, four = moments(truth, result, 4).all;
  EXPECT_EQ(one.products, four.products);
  EXPECT_EQ(one.squared_error, four.squared_error);
  EXPECT_EQ(one.truth_squares, four.truth_squares);
}

TEST(Intensity, RefusesWhatIsNotFinite) {
  const Volume<float> truth{Extent3{2, 3, 5}};
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    Volume<float> result{truth.extent};
    result.voxels[15 + 5 + 2] = value;
    test::expect_failure<InvalidInput>([&] { moments(truth, result); },
                                       {"score result.tif", "(1, 1, 2)", "finite", "repair"});
    test::expect_failure<InvalidInput>([&] { moments(result, truth); }, {"score truth.tif"});
  }
}

TEST(Intensity, RefusesAnotherGrid) {
  const Volume<std::uint16_t> truth{Extent3{1, 2, 5}}, result{Extent3{2, 1, 5}};
  test::expect_failure<InvalidSpec>([&] { moments(truth, result); },
                                    {"score result.tif", "2x1x5", "truth.tif has 1x2x5"});
}

}  // namespace
}  // namespace synthoscope::score
