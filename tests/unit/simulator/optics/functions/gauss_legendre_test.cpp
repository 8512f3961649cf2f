// SPDX-License-Identifier: MIT
// gauss_legendre_test.cpp — n nodes integrate polynomials up to degree 2 n - 1, and no further.
#include "simulator/optics/functions/gauss_legendre.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

double integrate_power(const Quadrature& rule, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    sum += rule.weights[i] * std::pow(rule.nodes[i], power);
  return sum;
}

struct CountCase {
  const char* name;
  int nodes;
};
constexpr CountCase kCounts[] = {{"one", 1}, {"two", 2}, {"three", 3}, {"odd", 17}, {"even", 64}};

class GaussLegendre : public testing::TestWithParam<CountCase> {};

TEST_P(GaussLegendre, IsExactUpToDegreeTwiceTheNodesLessOne) {
  const Quadrature rule = gauss_legendre(GetParam().nodes, 0, 1);
  for (int power = 0; power < 2 * GetParam().nodes; ++power)
    EXPECT_NEAR(integrate_power(rule, power), 1.0 / (power + 1), 2e-15) << power;
}

TEST_P(GaussLegendre, KeepsNodesInAscendingOrderInsideTheInterval) {
  const Quadrature rule = gauss_legendre(GetParam().nodes, -3, 5);
  double last = -3;
  for (const double node : rule.nodes) {
    EXPECT_GT(node, last);
    last = node;
  }
  EXPECT_LT(last, 5);
}

INSTANTIATE_TEST_SUITE_P(Counts, GaussLegendre, testing::ValuesIn(kCounts), test::kCaseName);

TEST(GaussLegendreLarge, IntegratesAnOscillationWithThousandsOfNodes) {
  const Quadrature rule = gauss_legendre(2000, 0, 1);
  double sum = 0;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    sum += rule.weights[i] * std::cos(3000 * rule.nodes[i]);
  EXPECT_NEAR(sum, std::sin(3000.0) / 3000, 1e-13);
}

TEST(GaussLegendreFew, MissesTheNextDegree) {
  EXPECT_GT(std::abs(integrate_power(gauss_legendre(2, 0, 1), 4) - 0.2), 1e-3);
}

}  // namespace
}  // namespace synthoscope::simulator
