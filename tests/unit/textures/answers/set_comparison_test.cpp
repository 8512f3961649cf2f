// SPDX-License-Identifier: MIT
#include "textures/answers/set_comparison.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "core/math/random.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::textures {
namespace {

/// Points on a line: `of_a` draws around 0 and `of_b` around `shift`, `patches` a place each.
SetDistances points(std::int64_t of_a, std::int64_t of_b, double shift, std::uint64_t seed,
                    std::int64_t patches = 1) {
  const RandomStream draws{seed, RandomStage::texture};
  std::vector<double> at;
  SetDistances distances;
  for (std::int64_t image = 0; image < of_a + of_b; ++image)
    for (std::int64_t patch = 0; patch < patches; ++patch) {
      const auto index = static_cast<std::uint64_t>(image);
      const double place = uniform32(draws.block(index)[0]);
      const double beside = uniform32(draws.block(index, 1, static_cast<std::uint32_t>(patch))[0]);
      at.push_back(place + (patches > 1 ? 0.01 * beside : 0) + (image < of_a ? 0 : shift));
      distances.image.push_back(image);
    }
  distances.of_a = of_a * patches;
  for (const double a : at)
    for (const double b : at) distances.between.push_back(std::abs(a - b));
  return distances;
}

const StopFlag kNoStop;

TEST(SetComparison, SetsFarApartAreAlwaysToldApart) {
  const auto found = compare_sets(points(20, 30, 5, 1), 999, 3, kNoStop);
  EXPECT_EQ(found.accuracy, 1);
  EXPECT_EQ(found.p_energy, 1e-3);
  EXPECT_EQ(found.p_accuracy, 1e-3);
  EXPECT_NEAR(found.between, 5, 0.2);
  EXPECT_NEAR(found.within_a, 1.0 / 3, 0.1);  // mean distance of two uniform draws
  EXPECT_NEAR(found.energy, 2 * found.between - found.within_a - found.within_b, 1e-12);
}

TEST(SetComparison, SetsOfOneKindAreNot) {
  // p is uniform then: of 200 such pairs about 10 are at most 0.05
  std::int64_t low_energy = 0, low_accuracy = 0;
  double accuracy = 0;
  constexpr std::uint64_t kPairs = 200;
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
    const auto found = compare_sets(points(15, 25, 0, 100 + pair), 99, 3, kNoStop);
    low_energy += found.p_energy <= 0.05;
    low_accuracy += found.p_accuracy <= 0.05;
    accuracy += found.accuracy / kPairs;
  }
  EXPECT_NEAR(accuracy, 0.5, 0.03);
  EXPECT_GE(low_energy, 2);
  EXPECT_LE(low_energy, 22);
  EXPECT_LE(low_accuracy, 22);
}

TEST(SetComparison, PatchesOfOneImageAreNoNeighboursWhereThereAreImagesEnough) {
  // Nine patches of an image lie close together: neighbours within images would tell any sets apart
  const auto found = compare_sets(points(12, 12, 0, 7, 9), 999, 3, kNoStop);
  EXPECT_TRUE(found.by_images);
  EXPECT_LT(found.accuracy, 0.75);
  EXPECT_GT(found.p_accuracy, 0.05);
  const auto few = compare_sets(points(2, 2, 0, 7, 9), 99, 3, kNoStop);
  EXPECT_FALSE(few.by_images);
}

TEST(SetComparison, PatchesOfOneImageDoNotMakeSetsOfOneKindLookFarApart) {
  // The mean of the energy is 0 for sets of one kind, however alike the patches of an image are
  double energy = 0;
  constexpr std::uint64_t kPairs = 200;
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
    const auto found = compare_sets(points(6, 8, 0, 500 + pair, 9), 1, 3, kNoStop);
    energy += found.energy / kPairs;
  }
  EXPECT_NEAR(energy, 0, 0.01);  // with pairs of one image it would be 0.087
}

TEST(SetComparison, SeedAloneDecidesPermutations) {
  const SetDistances distances = points(10, 10, 0.3, 5);
  const auto first = compare_sets(distances, 199, 1, kNoStop);
  EXPECT_EQ(first.p_energy, compare_sets(distances, 199, 1, kNoStop).p_energy);
  EXPECT_NE(first.accuracy_by_chance, compare_sets(distances, 199, 2, kNoStop).accuracy_by_chance);
}

TEST(SetComparison, FewerThanTwoTexturesAreRefused) {
  test::expect_failure<InvalidSpec>([] { compare_sets(points(1, 5, 0, 1), 9, 1, kNoStop); },
                                    {"1 and 5", "--patch"});
}

}  // namespace
}  // namespace synthoscope::textures
