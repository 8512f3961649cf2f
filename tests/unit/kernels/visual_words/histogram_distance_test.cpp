// SPDX-License-Identifier: MIT
#include "kernels/visual_words/histogram_distance.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <vector>

namespace synthoscope::kernels {
namespace {

using Histogram = std::vector<float>;

constexpr HistogramDistance kDistances[] = {
    HistogramDistance::euclidean, HistogramDistance::chi_square, HistogramDistance::intersection};

TEST(HistogramDistances, AreThoseOfTheirFormulae) {
  const Histogram a{0.5F, 0.25F, 0.25F, 0}, b{0.25F, 0.25F, 0.5F, 0};
  EXPECT_DOUBLE_EQ(distance(HistogramDistance::euclidean, a, b), std::sqrt(2 / 16.0));
  EXPECT_DOUBLE_EQ(distance(HistogramDistance::chi_square, a, b), 2 * (1 / 16.0) / 0.75 / 2);
  EXPECT_DOUBLE_EQ(distance(HistogramDistance::intersection, a, b), 0.25);
}

TEST(HistogramDistances, AreSymmetricAndNoneFromItself) {
  const Histogram a{0.5F, 0, 0.5F}, b{0.125F, 0.75F, 0.125F};
  for (const auto how : kDistances) {
    EXPECT_EQ(distance(how, a, b), distance(how, b, a)) << name_of(how);
    EXPECT_EQ(distance(how, a, a), 0) << name_of(how);
    EXPECT_GT(distance(how, a, b), 0) << name_of(how);
    EXPECT_EQ(histogram_distance_named(name_of(how)), how);
  }
}

TEST(HistogramDistances, AreOneAtMostWhereNoWordIsShared) {
  const Histogram a{0.5F, 0.5F, 0, 0}, b{0, 0, 0.25F, 0.75F};
  EXPECT_EQ(distance(HistogramDistance::chi_square, a, b), 1);
  EXPECT_EQ(distance(HistogramDistance::intersection, a, b), 1);
}

}  // namespace
}  // namespace synthoscope::kernels
