// SPDX-License-Identifier: MIT
#include "fit/texture/minimise.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::fit {
namespace {

const std::vector<FittedKey> kTwoKeys{
    {.key = "nuclei.texture_contrast", .least = 0.02, .most = 1, .prior = 0.7},
    {.key = "nuclei.lacuna_share", .logarithmic = false, .least = 0, .most = 0.5, .prior = 0.1}};

double bowl(const std::vector<double>& values) {
  return std::pow(std::log(values[0] / 0.3), 2) + std::pow((values[1] - 0.2) / 0.1, 2);
}

TEST(Minimise, FindsTheBottomOfABowl) {
  const StopFlag stop;
  const Minimum found = minimise(kTwoKeys, {0.8, 0.05}, bowl, {100}, stop);
  EXPECT_NEAR(found.values[0], 0.3, 0.02);
  EXPECT_NEAR(found.values[1], 0.2, 0.01);
  EXPECT_LE(found.evaluations, 100);
}

TEST(Minimise, StaysWithinTheBounds) {
  const StopFlag stop;
  const auto rises = [](const std::vector<double>& values) { return values[0] + values[1]; };
  const Minimum found = minimise(kTwoKeys, {0.8, 0.05}, rises, {100}, stop);
  EXPECT_NEAR(found.values[0], 0.02, 0.001);
  EXPECT_NEAR(found.values[1], 0, 0.001);
}

TEST(Minimise, ReturnsTheBestThatItMetWhenItsBudgetEnds) {
  const StopFlag stop;
  const Minimum found = minimise(kTwoKeys, {0.8, 0.05}, bowl, {5}, stop);
  EXPECT_EQ(found.evaluations, 5);
  EXPECT_EQ(found.objective, bowl(found.values));
}

TEST(Minimise, TakesASingleKey) {
  const StopFlag stop;
  const auto one = [](const std::vector<double>& values) {
    return std::pow(std::log(values[0] / 0.3), 2);
  };
  EXPECT_NEAR(minimise({kTwoKeys[0]}, {0.8}, one, {60}, stop).values[0], 0.3, 0.02);
}

TEST(Minimise, PassesFailuresAndStopsOn) {
  StopFlag stop;
  const auto fails = [](const std::vector<double>&) -> double { throw InvalidSpec("no"); };
  EXPECT_THROW(minimise(kTwoKeys, {0.8, 0.05}, fails, {10}, stop), InvalidSpec);
  stop.request();
  EXPECT_THROW(minimise(kTwoKeys, {0.8, 0.05}, bowl, {10}, stop), Interrupted);
}

}  // namespace
}  // namespace synthoscope::fit
