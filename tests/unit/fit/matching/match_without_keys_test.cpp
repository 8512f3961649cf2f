// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include "fit/matching/match.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

Statistics one_statistic(double value, double variance) {
  return {{"a"}, Eigen::VectorXd::Constant(1, value), Eigen::MatrixXd::Constant(1, 1, variance), 9};
}

TEST(MatchWithoutKeys, StillSaysHowFarTheSceneIsOff) {
  test::TestContext run;
  MatchRequest request;
  request.wanted = one_statistic(10, 3);
  request.simulate = [](const simulator::SceneSpec&) { return one_statistic(14, 1); };
  const Matched matched = match({}, request, run.context);
  ASSERT_EQ(matched.compared.size(), 1u);
  EXPECT_EQ(matched.compared[0].off, 2);  // 4 over the root of 3 + 1
  EXPECT_EQ(matched.simulations, 1);
}

}  // namespace
}  // namespace synthoscope::fit
