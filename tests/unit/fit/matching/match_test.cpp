// SPDX-License-Identifier: MIT
#include "fit/matching/match.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/scene/keys.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

FittedKey radius() {
  return {.key = "nuclei.radius_um", .least = 0.1, .most = 100, .prior = 1, .how = "sizes"};
}
FittedKey spread() {
  return {.key = "nuclei.radius_spread",
          .logarithmic = false,
          .least = 0,
          .most = 0.25,
          .prior = 0.1,
          .how = "sizes"};
}
FittedKey height() {
  return {.key = "nuclei.axis_ratios", .axis = 0, .least = 0.1, .most = 10, .how = "axes"};
}

Statistics of(std::vector<double> values, std::vector<double> errors) {
  Statistics result;
  const auto size = static_cast<Eigen::Index>(values.size());
  result.names.assign(values.size(), "a number");
  result.values = Eigen::Map<Eigen::VectorXd>(values.data(), size);
  const Eigen::VectorXd deviations = Eigen::Map<Eigen::VectorXd>(errors.data(), size);
  result.covariance = deviations.cwiseAbs2().asDiagonal();
  result.units = 1000;
  return result;
}

/// A world in which volumes grow with the cube of the radius, and blur adds to the spread.
Statistics volumes_and_spreads(const simulator::SceneSpec& scene) {
  const double r = scene.nuclei.radius_um, s = scene.nuclei.radius_spread;
  return of({4.18879 * r * r * r * (1 + 3 * s * s), std::sqrt(9 * s * s + 0.01)}, {0, 0});
}

Matched matched(const simulator::SceneSpec& start, const MatchRequest& request) {
  test::TestContext run;
  return match(start, request, run.context);
}

TEST(Matching, FindsTheKeysThatGiveTheStatistics) {
  simulator::SceneSpec truth;
  truth.nuclei.radius_um = 5;
  truth.nuclei.radius_spread = 0.15;
  MatchRequest request;
  request.keys = {radius(), spread()};
  request.wanted = volumes_and_spreads(truth);
  request.wanted.covariance = of({0, 0}, {5, 0.01}).covariance;
  request.simulate = volumes_and_spreads;
  const Matched found = matched({}, request);
  EXPECT_NEAR(found.scene.nuclei.radius_um, 5, 0.02);
  EXPECT_NEAR(found.scene.nuclei.radius_spread, 0.15, 0.002);
  EXPECT_EQ(found.scene.given.count("nuclei.radius_um"), 1u);
  EXPECT_LT(std::abs(found.compared[0].off), 0.2);
  EXPECT_LE(found.simulations, 25);
}

TEST(Matching, IntervalsFollowFromErrorsAndSensitivity) {
  // ln(volume) = 3 ln(radius): 3 % of the volume are 1 % of the radius
  simulator::SceneSpec start;
  start.nuclei.radius_um = 5;
  start.nuclei.radius_spread = 0;
  MatchRequest request;
  request.keys = {radius()};
  const auto volume_of = [](const simulator::SceneSpec& scene) {
    return of({std::pow(scene.nuclei.radius_um, 3)}, {0});
  };
  request.wanted = of({125}, {0.03 * 125});
  request.simulate = volume_of;
  const Estimate found = matched(start, request).estimates.front();
  EXPECT_EQ(found.origin, Origin::measured);
  EXPECT_NEAR(found.value, 5, 0.01);
  EXPECT_NEAR((found.high - found.low) / 2 / found.value, 1.96 * 0.01, 0.002);
}

TEST(Matching, SimulationsOfTheSameSizeScatterAsTheImagesDo) {
  MatchRequest request;
  request.keys = {radius()};
  request.wanted = of({std::log(3)}, {0.01});
  request.simulate = [](const simulator::SceneSpec& scene) {
    return of({std::log(scene.nuclei.radius_um)}, {0.01});
  };
  const auto width = [&](double repeats) {
    request.repeats = repeats;
    const Estimate found = matched({}, request).estimates.front();
    return std::log(found.high / found.low) / 2 / 1.96;
  };
  EXPECT_NEAR(width(1), 0.01 * std::sqrt(2), 0.0005);
  EXPECT_NEAR(width(4), 0.01 * std::sqrt(1.25), 0.0005);
}

TEST(Matching, KeepsAKeyThatNothingTells) {
  simulator::SceneSpec start;
  start.nuclei.axis_ratios = {0.7, 1, 1};
  MatchRequest request;
  request.keys = {radius(), height()};
  request.wanted = of({4}, {0.01});
  request.simulate = [](const simulator::SceneSpec& scene) {
    return of({scene.nuclei.radius_um}, {0});
  };
  const Matched found = matched(start, request);
  EXPECT_NEAR(found.scene.nuclei.radius_um, 4, 0.01);
  EXPECT_NEAR(found.scene.nuclei.axis_ratios.z_um, 0.7, 1e-3);
  EXPECT_EQ(found.estimates[1].origin, Origin::assumed);
  EXPECT_LT(found.estimates[1].low, 0.3);
  EXPECT_GT(found.estimates[1].high, 2);
}

TEST(Matching, GoesRoundScenesThatCannotBeSimulated) {
  MatchRequest request;
  request.keys = {radius()};
  request.wanted = of({4.9}, {0.05});
  request.simulate = [](const simulator::SceneSpec& scene) {
    if (scene.nuclei.radius_um > 5) throw InvalidSpec("no room for the nuclei");
    return of({scene.nuclei.radius_um}, {0});
  };
  EXPECT_NEAR(matched({}, request).scene.nuclei.radius_um, 4.9, 0.1);
}

TEST(Matching, EndsAfterTheSimulationsThatItMayDo) {
  MatchRequest request;
  request.keys = {radius(), spread()};
  request.wanted = of({1e4, 0.2}, {1, 0.001});
  request.simulate = volumes_and_spreads;
  request.most_simulations = 6;
  const Matched found = matched({}, request);
  EXPECT_LE(found.simulations, 8);
  // The radius for these volumes, 13 um, is far from where it stopped
  EXPECT_GT(std::log(found.estimates[0].high / found.scene.nuclei.radius_um), 0.3);
}

TEST(Matching, TakesNoChanceForADerivative) {
  FittedKey key = radius();
  key.step = 0.5;
  MatchRequest request;
  request.wanted = of({0, 0, 0, 0}, {0.1, 0.1, 0.1, 0.1});
  request.simulate = [](const simulator::SceneSpec& scene) {
    std::vector<double> chance;  // drawn anew for each radius, with the deviation 0.3
    for (const double phase : {1e4, 2e4, 3e4, 5e4})
      chance.push_back(0.3 * std::sqrt(2.0) * std::sin(phase * scene.nuclei.radius_um));
    return of(chance, {0.3, 0.3, 0.3, 0.3});
  };
  for (const bool redraws : {false, true}) {
    key.redraws = redraws;
    request.keys = {key};
    const Estimate found = matched({}, request).estimates.front();
    EXPECT_EQ(found.origin, redraws ? Origin::assumed : Origin::measured);
  }
}

TEST(Matching, SaysThatTheKeysHadNotSettled) {
  MatchRequest request;
  request.keys = {radius(), spread()};
  request.wanted = of({1e4, 0.2}, {1, 0.001});
  request.simulate = volumes_and_spreads;
  const Matched finished = matched({}, request);
  request.most_simulations = 5;
  const Matched stopped = matched({}, request);
  Findings found;
  say_if_unfinished(finished, "sizes", found);
  EXPECT_TRUE(found.untold.empty());
  say_if_unfinished(stopped, "sizes", found);
  ASSERT_EQ(found.untold.size(), 1u);
  EXPECT_NE(found.untold[0].find("intervals may be too narrow"), std::string::npos);
}

TEST(Matching, StaysWithinTheRangeOfAKey) {
  MatchRequest request;
  request.keys = {spread()};
  request.wanted = of({0.5}, {0.01});
  request.simulate = [](const simulator::SceneSpec& scene) {
    return of({scene.nuclei.radius_spread}, {0});
  };
  EXPECT_EQ(matched({}, request).scene.nuclei.radius_spread, 0.25);
}

const FittedKey kAperture{"optics.na", {}, true, 0.1, 1.4, 0.3, "from a formula"};

/// `copies` statistics that are all the logarithm of a number, and err together.
Statistics logarithms(double number, int copies, double error) {
  Statistics s;
  s.names.assign(static_cast<std::size_t>(copies), "logarithm");
  s.values = Eigen::VectorXd::Constant(copies, std::log(number));
  s.covariance = Eigen::MatrixXd::Constant(copies, copies, error * error);
  s.units = 1e9;
  return s;
}

Matched matched_aperture(double start, double wanted, int copies, double error) {
  simulator::SceneSpec scene;
  scene.optics.na = start;
  MatchRequest request;
  request.keys = {kAperture};
  request.wanted = logarithms(wanted, copies, error);
  request.simulate = [&](const simulator::SceneSpec& one) {
    return logarithms(one.optics.na, copies, 0);
  };
  test::TestContext here;
  return match(scene, request, here.context);
}

TEST(Matching, AStatisticThatIsRepeatedTellsNoMore) {
  const Estimate once = matched_aperture(1.0, 0.8, 1, 0.02).estimates.at(0);
  const Estimate often = matched_aperture(1.0, 0.8, 5, 0.02).estimates.at(0);
  EXPECT_NEAR(often.high / often.low, once.high / once.low, 0.002);
}

TEST(Matching, AKeyThatStartsAtItsLimitMovesAwayFromIt) {
  EXPECT_NEAR(matched_aperture(1.4, 1.1, 1, 0.02).estimates.at(0).value, 1.1, 0.01);
}

}  // namespace
}  // namespace synthoscope::fit
