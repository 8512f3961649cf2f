// SPDX-License-Identifier: MIT
#include "textures/models/feature_samples.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>
#include "core/stream/memory_stream.hpp"

namespace synthoscope::textures {
namespace {

TEST(DrawnVoxels, AreAllOfASmallImage) {
  std::vector<std::int64_t> all(24);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(drawn_voxels({2, 3, 4}, 24, 1, 0), all);
  EXPECT_EQ(drawn_voxels({2, 3, 4}, 1000, 1, 0), all);
}

TEST(DrawnVoxels, AreEvenlySpreadSortedAndFollowFromSeedAndImage) {
  const Extent3 extent{4, 100, 250};
  const auto drawn = drawn_voxels(extent, 40'000, 9, 2);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  EXPECT_GE(drawn.front(), 0);
  EXPECT_LT(drawn.back(), volume(extent));
  // Tenths of the image get 4000 each, with a standard deviation of 60
  std::vector<int> tenths(10);
  for (const std::int64_t voxel : drawn) ++tenths[static_cast<std::size_t>(voxel / 10'000)];
  for (const int count : tenths) EXPECT_NEAR(count, 4000, 300);
  EXPECT_EQ(drawn, drawn_voxels(extent, 40'000, 9, 2));
  EXPECT_NE(drawn, drawn_voxels(extent, 40'000, 9, 3));
  EXPECT_NE(drawn, drawn_voxels(extent, 40'000, 8, 2));
}

TEST(FeaturePicker, KeepsTheFeaturesOfItsVoxelsHoweverBoxesAreCut) {
  // The value of feature f at voxel i is 1000 i + f
  const Extent3 image{3, 5, 7};
  constexpr std::int64_t kFeatures = 4;
  const std::int64_t plane_voxels = image.y * image.x;
  Volume<float> responses{{image.z * kFeatures, image.y, image.x}};
  for (std::int64_t z = 0; z < responses.extent.z; ++z)
    for (std::int64_t i = 0; i < plane_voxels; ++i)
      responses.voxels[static_cast<std::size_t>(z * plane_voxels + i)] =
          static_cast<float>(1000 * (z / kFeatures * plane_voxels + i) + z % kFeatures);
  const std::vector<std::int64_t> voxels{0, 3, 3, 34, 35, 70, 104};
  for (const Extent3& cut : {responses.extent, Extent3{1, 5, 7}, Extent3{5, 2, 3}}) {
    std::vector<float> kept(voxels.size() * kFeatures, -1);
    FeaturePicker picker{image, kFeatures, voxels, kept.data(),
                         static_cast<std::int64_t>(voxels.size())};
    MemorySource source{ConstVoxelView{std::as_const(responses).view()}};
    for (std::int64_t z = 0; z < responses.extent.z; z += cut.z)
      for (std::int64_t y = 0; y < image.y; y += cut.y)
        for (std::int64_t x = 0; x < image.x; x += cut.x) {
          const Box3 box = intersection({{z, y, x}, cut}, whole(responses.extent));
          Volume<float> part{box.size};
          source.read(box, VoxelView{part.view()});
          picker.write(box, VoxelView{part.view()});
        }
    for (std::size_t f = 0; f < kFeatures; ++f)
      for (std::size_t i = 0; i < voxels.size(); ++i)
        EXPECT_EQ(kept[f * voxels.size() + i],
                  static_cast<float>(1000 * voxels[i] + static_cast<std::int64_t>(f)));
  }
}

}  // namespace
}  // namespace synthoscope::textures
