// SPDX-License-Identifier: MIT
#include "textures/two_sample/image_distances.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/unit/textures/two_sample/made_images.hpp"

namespace synthoscope::textures {
namespace {

ImageDistances distances_between(const std::vector<MeasuredImage>& images) {
  std::vector<Rows> rows;
  for (const MeasuredImage& image : images) rows.push_back(image.statistics);
  return image_distances(rows);
}

TEST(EnergyDistance, IsThatOfTheMeansOfImages) {
  const struct {
    std::vector<MeasuredImage> images;
    std::vector<char> is_real;
    double energy;
  } rows[] = {
      {{image_of({0}), image_of({3})}, {1, 0}, 1},
      {{image_of({0, 1}), image_of({0, 1})}, {1, 0}, 0},
      // Within 0.5 and 0.5; between 1, 2, 0, 1: mean 1
      {{image_of({0, 1}), image_of({1, 2})}, {1, 0}, (2 - 0.5 - 0.5) / 2},
      // Images weigh alike: within real 1/2 (two images, 1 apart), within synthetic 0, between 1.5
      {{image_of({0, 0, 0}), image_of({1}), image_of({2})}, {1, 1, 0}, (3 - 0.5) / 3},
      {{image_of({4}), image_of({4})}, {1, 0}, 0}};
  for (const auto& [images, is_real, energy] : rows)
    EXPECT_NEAR(energy_distance(distances_between(images), is_real), energy, 1e-12);
}

TEST(Standardised, ByTheScaleAndLimited) {
  const std::vector<MeasuredImage> images{image_of({1, 3}), image_of({2, 4, 1000})};
  const auto rows = standardised(list_of(images), {&images[0]});  // mean 2, deviation 1
  EXPECT_EQ(rows[0].values, (std::vector<double>{-1, 1}));
  EXPECT_EQ(rows[1].values, (std::vector<double>{0, 2, 8}));
}

TEST(EnergyTest, TriesAllAssignmentsOfFewImages) {
  std::vector<MeasuredImage> synthetic{image_of({0, 1}), image_of({0.1, 1.1}), image_of({0, 1.2}),
                                       image_of({0.2, 0.9})};
  const std::vector<MeasuredImage> far{image_of({5, 6})}, near{image_of({0.1, 1})};
  const StopFlag stop;
  const EnergyTest apart = energy_test(list_of(far), list_of(synthetic), 999, 1, stop);
  EXPECT_EQ(apart.assignments, 5);
  EXPECT_TRUE(apart.all_assignments);
  EXPECT_NEAR(apart.p, 0.2, 1e-12);
  EXPECT_NEAR(apart.least_p, 0.2, 1e-12);
  EXPECT_GT(energy_test(list_of(near), list_of(synthetic), 999, 1, stop).p, 0.2);

  // Two of each: exchanging the sets changes nothing
  const std::vector<MeasuredImage> two{image_of({5, 6}), image_of({5.1, 6})};
  synthetic.resize(2);
  const EnergyTest small = energy_test(list_of(two), list_of(synthetic), 999, 1, stop);
  EXPECT_EQ(small.assignments, 6);
  EXPECT_NEAR(small.least_p, 2.0 / 6, 1e-12);
  EXPECT_NEAR(small.p, 2.0 / 6, 1e-12);
}

TEST(EnergyTest, DrawsAssignmentsOfManyImages) {
  const auto real = drawn_images(1, 8, 6, 1), synthetic = drawn_images(2, 8, 6, 0);
  const auto others = drawn_images(3, 8, 6, 0);
  const StopFlag stop;
  const EnergyTest apart = energy_test(list_of(real), list_of(synthetic), 199, 1, stop);
  EXPECT_FALSE(apart.all_assignments);
  EXPECT_EQ(apart.assignments, 200);
  EXPECT_NEAR(apart.p, 0.005, 0.006);
  EXPECT_NEAR(apart.least_p, 0.005, 1e-12);
  EXPECT_GT(energy_test(list_of(others), list_of(synthetic), 199, 1, stop).p, 0.05);
}

TEST(SlicedWasserstein, OfAMovedSetIsHowFarItMoved) {
  const std::vector<MeasuredImage> real{image_of({0, 1, 2, 3})}, moved{image_of({2, 3, 4, 5})};
  const double deviation = std::sqrt(1.25);
  EXPECT_NEAR(sliced_wasserstein(list_of(real), list_of(moved), 1), 2 / deviation, 1e-9);
  EXPECT_EQ(sliced_wasserstein(list_of(real), list_of(real), 1), 0);
}

TEST(Halves, ShareNoPixel) {
  MeasuredImage image = drawn_images(1, 1, 40, 0).front();  // corners x = 0 to 112, y = 0 to 32
  const auto halves = halves_of(image);
  // Middle 56: corners up to 40 and from 72 on, 3 of 8 columns each; patches reach to 71
  EXPECT_EQ(halves[0].count(), 15u);
  EXPECT_EQ(halves[1].count(), 15u);
  image.corners.clear();
  EXPECT_EQ(halves_of(image)[0].count(), 0u);
}

TEST(LearningTasks, NeverTestAnImageThatWasLearnedFrom) {
  // Each image has its number as its only value
  std::vector<MeasuredImage> real, synthetic;
  for (int i = 0; i < 6; ++i) real.push_back(image_of({1.0 * i, 1.0 * i}));
  for (int i = 0; i < 9; ++i) synthetic.push_back(image_of({100.0 + i, 100.0 + i}));
  const auto tasks = learning_tasks(list_of(real), list_of(synthetic));
  ASSERT_EQ(tasks.size(), 4u);
  std::size_t tested = 0;
  for (const LearningTask& task : tasks) {
    EXPECT_TRUE(task.is_possible());
    tested += task.test.count();
    EXPECT_EQ(task.train.count() + task.test.count(), 30u);
    for (const double value : task.test.values)
      EXPECT_EQ(std::count(task.train.values.begin(), task.train.values.end(), value), 0) << value;
    for (std::size_t i = 0; i < task.test.count(); ++i)
      EXPECT_EQ(task.test_is_synthetic[i] != 0, task.test.values[i] >= 100);
  }
  EXPECT_EQ(tested, 30u);
}

}  // namespace
}  // namespace synthoscope::textures
