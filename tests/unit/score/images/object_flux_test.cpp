// SPDX-License-Identifier: MIT
#include "score/images/object_flux.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/score/images/image_volumes.hpp"

namespace synthoscope::score {
namespace {

template <class Label>
std::vector<ObjectFlux> fluxes_of(const Volume<double>& truth, const Volume<double>& result,
                                  const Volume<Label>& labels, int threads = 2) {
  MemorySource source{ConstVoxelView{labels.view()}};
  const LabelImage image{source, "labels.tif"};
  return test::with_pair(
      truth, result,
      [&](const ScoredImage& t, const ScoredImage& r, const RunContext& context) {
        return object_fluxes(t, r, image, context);
      },
      threads);
}

TEST(ObjectFlux, SumsTheVoxelsOfEveryLabel) {
  Volume<double> truth{Extent3{2, 1, 4}}, result{truth.extent};
  Volume<float> labels{truth.extent};
  truth.voxels = {1, 2, 3, 4, 5, 0, 0, 8};
  result.voxels = {1, 1, 3, 8, 5, 7, 1, 0};
  labels.voxels = {0, 3, 3, 70000, 3, -2, -2, 0};
  const auto fluxes = fluxes_of(truth, result, labels);
  ASSERT_EQ(fluxes.size(), 3u);
  EXPECT_EQ(fluxes[0].id, -2);
  EXPECT_TRUE(std::isnan(fluxes[0].ratio())) << "its truth is dark";
  EXPECT_EQ(fluxes[1].id, 3);
  EXPECT_EQ(fluxes[1].voxels, 3);
  EXPECT_EQ(fluxes[1].ratio(), 9.0 / 10);
  EXPECT_EQ(fluxes[2].id, 70000);
  EXPECT_EQ(fluxes[2].ratio(), 2);
}

TEST(ObjectFlux, HasQuantilesBetweenRanks) {
  std::vector<ObjectFlux> objects;
  for (const double ratio : {3.0, 1.0, 2.0, 4.0, 5.0}) objects.push_back({1, 1, 2, 2 * ratio});
  objects.push_back({2, 1, 0, 1});
  const FluxQuantiles quantiles = quantiles_of(objects);
  EXPECT_EQ(quantiles.objects, 5);
  EXPECT_EQ(quantiles.median, 3);
  EXPECT_EQ(quantiles.q25, 2);
  EXPECT_DOUBLE_EQ(quantiles.q05, 1.2);
  EXPECT_DOUBLE_EQ(quantiles.q95, 4.8);
  EXPECT_TRUE(std::isnan(quantiles_of({}).median));
}

TEST(ObjectFlux, HasTheSameBitsForAnyNumberOfThreads) {
  const Extent3 extent{6, 300, 400};
  const auto truth = test::wavy_truth(extent), result = test::wavy_result(extent);
  const auto labels = test::made_image<std::uint16_t>(
      extent,
      [](std::int64_t z, std::int64_t y, std::int64_t x) { return (z / 2 + y / 50 + x / 30) % 5; });
  const auto one = fluxes_of(truth, result, labels, 1), four = fluxes_of(truth, result, labels, 4);
  ASSERT_EQ(one.size(), 4u);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].truth, four[i].truth);
    EXPECT_EQ(one[i].result, four[i].result);
  }
}

TEST(ObjectFlux, RefusesWhatIsNoLabelImageOfThisTruth) {
  const Volume<double> image{Extent3{1, 2, 3}};
  Volume<float> labels{image.extent};
  labels.voxels[4] = 1.5f;
  test::expect_failure<InvalidInput>([&] { fluxes_of(image, image, labels); },
                                     {"score labels.tif", "(0, 1, 1)", "whole numbers"});
  test::expect_failure<InvalidSpec>(
      [&] {
        fluxes_of(image, image, Volume<float>{Extent3{1, 3, 3}});
      },
      {"score labels.tif", "1x3x3", "1x2x3"});
}

}  // namespace
}  // namespace synthoscope::score
