// SPDX-License-Identifier: MIT
#include "textures/two_sample/likeness.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/textures/two_sample/made_images.hpp"

namespace synthoscope::textures {
namespace {

LikenessSpec quick_spec() {
  LikenessSpec spec;
  spec.permutations = 99;
  spec.forest.trees = 20;
  return spec;
}

Likeness likeness_of(std::size_t real, double shift, std::size_t synthetic,
                     std::int64_t patches = 24, int threads = 2) {
  test::TestContext t{threads};
  return compare_likeness(drawn_images(1, real, patches, shift),
                          drawn_images(2, synthetic, patches, 0), quick_spec(), t.context);
}

TEST(CompareLikeness, ImagesOfOneKindLieInsideTheNullButForOneInTwenty) {
  test::TestContext t;
  LikenessSpec spec = quick_spec();
  spec.permutations = 1;
  spec.forest.trees = 5;
  int above[4] = {};
  for (std::uint64_t draw = 0; draw < 12; ++draw) {
    const std::size_t real = draw % 2 == 0 ? 1 : 3;
    const Likeness found = compare_likeness(drawn_images(100 + draw, real, 16, 0),
                                            drawn_images(200 + draw, 20, 16, 0), spec, t.context);
    EXPECT_EQ(found.forest.null.size(), real == 1 ? 20u : 39u);
    EXPECT_EQ(found.synthetic_patches, 20 * 16);
    const MeasureBesideNull* const measures[] = {&found.logistic, &found.forest, &found.energy,
                                                 &found.sliced};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NE(measures[i]->place, NullPlace::open);
      above[i] += measures[i]->place == NullPlace::above;
    }
  }
  for (const int count : above) EXPECT_LE(count, 4);
}

TEST(CompareLikeness, OthersLieAboveItAndWhatTellsComesFirst) {
  for (const std::size_t real : {1, 3}) {
    const Likeness found = likeness_of(real, 2, 20);
    for (const auto* measure : {&found.logistic, &found.forest, &found.energy, &found.sliced})
      EXPECT_EQ(measure->place, NullPlace::above) << real;
    EXPECT_GT(*found.logistic.value, 0.95);
    EXPECT_GT(found.energy.below, 19);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LT(found.effects[i].statistic, 3u);
      EXPECT_TRUE(found.effects[i].gives_away());
      EXPECT_NEAR(found.effects[i].difference, -2, 0.3);
      EXPECT_NEAR(found.effects[i].effect, -2 / 0.577, 0.6);  // four uniform numbers: sqrt(4 / 12)
    }
  }
}

TEST(CompareLikeness, TooFewImagesAreUndecided) {
  const struct {
    std::size_t real, synthetic, null;
  } rows[] = {{1, 1, 0}, {1, 5, 5}, {1, 19, 19}, {3, 5, 0}, {12, 20, 0}};
  for (const auto& [real, synthetic, null] : rows) {
    const Likeness found = likeness_of(real, 0, synthetic, 24);
    EXPECT_EQ(found.forest.place, NullPlace::open) << real << " " << synthetic;
    EXPECT_EQ(found.forest.null.size(), null) << real << " " << synthetic;
    EXPECT_EQ(found.effects.size(), kPatchStatisticCount);
  }
}

TEST(CompareLikeness, WithoutPatchesToLearnFromThereIsNoArea) {
  const Likeness found = likeness_of(1, 0, 20, 2);
  EXPECT_FALSE(found.forest.value || found.logistic.value);
  EXPECT_EQ(found.forest.place, NullPlace::open);
}

TEST(CompareLikeness, ThreadsChangeNothing) {
  const Likeness one = likeness_of(1, 0.3, 20, 24, 1), three = likeness_of(1, 0.3, 20, 24, 3);
  EXPECT_EQ(one.forest.null, three.forest.null);
  EXPECT_EQ(one.logistic.null, three.logistic.null);
  EXPECT_EQ(one.sliced.value, three.sliced.value);
  EXPECT_EQ(one.test.p, three.test.p);
}

TEST(CompareLikeness, NeedsItsMemory) {
  test::TestContext t{1, 1000};
  EXPECT_THROW(compare_likeness(drawn_images(1, 1, 24, 0), drawn_images(2, 3, 24, 0), quick_spec(),
                                t.context),
               PlanError);
}

}  // namespace
}  // namespace synthoscope::textures
