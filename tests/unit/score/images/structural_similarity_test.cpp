// SPDX-License-Identifier: MIT
#include "score/images/structural_similarity.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/unit/score/images/image_volumes.hpp"

namespace synthoscope::score {
namespace {

StructuralSimilarity ssim_of(const Volume<double>& truth, const Volume<double>& result,
                             double range, int threads = 2,
                             std::int64_t memory = std::int64_t{1} << 30) {
  return test::with_pair(
      truth, result,
      [&](const ScoredImage& t, const ScoredImage& r, const RunContext& context) {
        return structural_similarity(t, r, range, {1.5, -20}, context);
      },
      threads, memory);
}

TEST(StructuralSimilarity, OfAnImageWithItselfIsOne) {
  const auto image = test::wavy_truth({12, 13, 14});
  const StructuralSimilarity ssim = ssim_of(image, image, 100);
  EXPECT_NEAR(ssim.in_planes.raw, 1, 1e-12);
  EXPECT_NEAR(ssim.in_volume.raw, 1, 1e-12);
  EXPECT_LT(ssim.in_planes.fitted, 0.99);
}

TEST(StructuralSimilarity, OfFlatImagesIsOfTheirMeans) {
  // Without variances, (2 t r + C1) / (t^2 + r^2 + C1) with C1 = (0.01 R)^2 = 1
  Volume<double> truth{Extent3{11, 11, 11}}, result{truth.extent};
  for (double& voxel : truth.voxels) voxel = 2;
  for (double& voxel : result.voxels) voxel = 3;
  const StructuralSimilarity ssim = ssim_of(truth, result, 100);
  EXPECT_NEAR(ssim.in_planes.raw, 13.0 / 14, 1e-12);
  EXPECT_NEAR(ssim.in_volume.raw, 13.0 / 14, 1e-12);
  // The fit turns 3 into 1.5 x 3 - 20 = -15.5
  EXPECT_NEAR(ssim.in_planes.fitted, (-62 + 1) / (4 + 15.5 * 15.5 + 1), 1e-12);
}

TEST(StructuralSimilarity, NeedsAWholeWindow) {
  const Extent3 extents[] = {{11, 10, 30}, {11, 30, 10}};
  for (const Extent3& extent : extents) {
    const auto ssim = ssim_of(test::wavy_truth(extent), test::wavy_result(extent), 100);
    EXPECT_TRUE(std::isnan(ssim.in_planes.raw) && std::isnan(ssim.in_volume.raw)) << extent;
    EXPECT_EQ(ssim.planes.size(), 11u);
  }
  const Extent3 thin{10, 11, 11};
  const auto ssim = ssim_of(test::wavy_truth(thin), test::wavy_result(thin), 100);
  EXPECT_FALSE(std::isnan(ssim.in_planes.raw));
  EXPECT_TRUE(std::isnan(ssim.in_volume.raw));
  EXPECT_TRUE(std::isnan(ssim_of(test::wavy_truth(thin), test::wavy_truth(thin), 0).in_planes.raw));
}

TEST(StructuralSimilarity, HasTheSameBitsForAllThreadsAndMemories) {
  const Extent3 extent{13, 90, 40};
  const auto truth = test::wavy_truth(extent), result = test::wavy_result(extent);
  const auto whole = ssim_of(truth, result, 120);
  const std::int64_t little = 400 << 10;  // bands of some rows; the images have 750 KiB
  const auto bands = ssim_of(truth, result, 120, 1, little);
  const auto threads = ssim_of(truth, result, 120, 5);
  for (const auto& other : {bands, threads}) {
    EXPECT_EQ(whole.in_planes.raw, other.in_planes.raw);
    EXPECT_EQ(whole.in_volume.raw, other.in_volume.raw);
    EXPECT_EQ(whole.in_volume.fitted, other.in_volume.fitted);
    EXPECT_EQ(whole.planes[7].raw, other.planes[7].raw);
  }
}

}  // namespace
}  // namespace synthoscope::score
