// SPDX-License-Identifier: MIT
#include "textures/answers/compare.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/textures/made_textures.hpp"
#include "textures/models/train.hpp"

namespace synthoscope::textures {
namespace {

/// Points on a line, whose distances are how far apart they are; A are the first two images.
SetDistances points_of_images(const std::vector<std::pair<double, std::int64_t>>& points,
                              std::int64_t of_a) {
  SetDistances distances;
  distances.of_a = of_a;
  for (const auto& [place, image] : points) distances.image.push_back(image);
  for (const auto& [a, of] : points)
    for (const auto& [b, other] : points) distances.between.push_back(std::abs(a - b));
  return distances;
}

TEST(ComparedImages, EachStandsBesideTheOthersOfBothSets) {
  // Images 0 and 1 of A at 0, 1 and 4; image 2 of B at 5 and 9
  const SetDistances distances = points_of_images({{0, 0}, {1, 0}, {4, 1}, {5, 2}, {9, 2}}, 3);
  SetComparison found;
  found.nearest = {1, 0, 3, 2, 3};
  const auto images = compared_images(distances, found, 3);
  EXPECT_TRUE(images[0].is_of_a && images[1].is_of_a && !images[2].is_of_a);
  EXPECT_EQ(images[0].textures, 2);
  EXPECT_NEAR(images[0].to_own, (1 + 4 + 1 + 3) / 4.0, 1e-12);
  EXPECT_NEAR(images[0].to_other, (5 + 9 + 4 + 8) / 4.0, 1e-12);
  EXPECT_EQ(images[0].nearest_of_own, 1);
  EXPECT_EQ(images[1].nearest_of_own, 0);
  EXPECT_EQ(images[2].nearest_of_own, 0.5);

  // Patches of one image are no others where images are what is permuted
  found.by_images = true;
  EXPECT_NEAR(compared_images(distances, found, 3)[0].to_own, (4 + 3) / 2.0, 1e-12);
}

TEST(Compare, PlacesOfOtherTexturesAreToldApart) {
  const test::TemporaryFolder folder;
  const ImageSet set = finished_data_set(folder, 100, 4);
  TrainingSpec spec;
  spec.words = 12;
  spec.samples_each = 200;
  test::TestContext t;
  HostRunner runner;
  const TwoSets sets = two_sets(folder / "narrow", folder / "wide");
  EXPECT_EQ(sets.of_a, 4);
  ASSERT_EQ(sets.images.size(), 8u);
  const TextureModel words = learn_words(sets.images, spec, {}, runner, t.context);

  const Compared compared = compare(words, sets, {{}, 99, 1}, {}, runner, t.context);
  EXPECT_EQ(compared.found.accuracy, 1);
  EXPECT_TRUE(compared.found.by_images);
  EXPECT_EQ(compared.textures_of_a, 4);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(compared.images[i].is_of_a, i < 4);
    EXPECT_EQ(compared.images[i].nearest_of_own, 1);
    EXPECT_LT(compared.images[i].to_own, compared.images[i].to_other);
  }
  EXPECT_TRUE(t.log.warnings.empty());

  // Patches of two images stand for themselves, and that is said
  const TwoSets two = two_sets(sets.images.front(), sets.images.back());
  const Compared patches = compare(words, two, {Extent3{0, 32, 32}, 99, 1}, {}, runner, t.context);
  EXPECT_FALSE(patches.found.by_images);
  EXPECT_EQ(patches.images[1].textures, 4);
  ASSERT_EQ(t.log.warnings.size(), 1u);
}

}  // namespace
}  // namespace synthoscope::textures
