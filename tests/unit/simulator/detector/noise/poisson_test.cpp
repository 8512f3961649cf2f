// SPDX-License-Identifier: MIT
// poisson_test.cpp — Poisson counts are the exact inverse of the distribution function.
#include "simulator/detector/noise/poisson.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <vector>
#include "core/math/random.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

/// Distribution function by summation in long double: `below[i]` = P(X <= first + i), and `above`
/// its complement, each summed from its own far end.
struct LongTable {
  std::int64_t first = 0;
  std::vector<long double> below, above;
};

LongTable sum_distribution(double mean) {
  const long double spread = 12 * std::sqrt(static_cast<long double>(mean)) + 60;
  LongTable t;
  t.first = std::max<std::int64_t>(0, static_cast<std::int64_t>(mean - spread));
  const auto count = static_cast<std::size_t>(mean + spread) - static_cast<std::size_t>(t.first);
  std::vector<long double> p(count);
  for (std::size_t i = 0; i < count; ++i) {
    const long double n = static_cast<long double>(t.first) + static_cast<long double>(i);
    p[i] = std::exp(n * std::log(static_cast<long double>(mean)) - mean - std::lgamma(n + 1));
  }
  // lgamma's last digits matter at a large mean: make the whole add up to 1
  long double total = 0;
  for (const long double v : p) total += v;
  t.below.resize(count);
  t.above.resize(count);
  long double sum = 0;
  for (std::size_t i = 0; i < count; ++i) t.below[i] = sum += p[i] / total;
  sum = 0;
  for (std::size_t i = count; i-- > 0; sum += p[i] / total) t.above[i] = sum;
  return t;
}

std::int64_t invert(const LongTable& t, double u) {
  std::size_t i = 0;
  if (u <= 0.5)
    i = static_cast<std::size_t>(
        std::partition_point(t.below.begin(), t.below.end(), [&](auto f) { return f < u; }) -
        t.below.begin());
  else
    i = static_cast<std::size_t>(
        std::partition_point(t.above.begin(), t.above.end(), [&](auto f) { return f > 1 - u; }) -
        t.above.begin());
  return t.first + static_cast<std::int64_t>(i);
}

struct MeanCase {
  const char* name;
  double mean;
};
constexpr MeanCase kMeans[] = {
    {"hundredth", 0.01},   {"tenth", 0.1},        {"one", 1},
    {"three", 3.3},        {"seven", 7},          {"just_below_the_switch", 9.999999999},
    {"at_the_switch", 10}, {"twelve", 12.34},     {"twenty", 20},
    {"fifty", 50},         {"hundred", 100.5},    {"three_hundred", 317},
    {"thousand", 1000},    {"ten_thousand", 1e4}, {"hundred_thousand", 1e5},
};

class Poisson : public testing::TestWithParam<MeanCase> {};

TEST_P(Poisson, InvertsTheDistributionExactlyOnADenseGrid) {
  const double mean = GetParam().mean;
  const LongTable table = sum_distribution(mean);
  constexpr int kPoints = 40000;
  std::int64_t wrong = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double u = (i + 0.4142135623730951) / kPoints;
    wrong += poisson(mean, u) != invert(table, u);
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(Poisson, InvertsBothTailsDownToTheSmallestUniform) {
  const double mean = GetParam().mean;
  const LongTable table = sum_distribution(mean);
  for (double tail = 0x1p-53; tail < 0.5; tail *= 1.0717) {
    const double lower = tail, upper = 1 - std::ldexp(std::round(std::ldexp(tail, 53)), -53);
    EXPECT_EQ(poisson(mean, lower), invert(table, lower)) << lower;
    EXPECT_EQ(poisson(mean, upper), invert(table, upper)) << 1 - upper;
  }
}

TEST_P(Poisson, StepsWhereTheDistributionSteps) {
  const double mean = GetParam().mean;
  const LongTable table = sum_distribution(mean);
  const std::size_t stride = std::max<std::size_t>(1, table.below.size() / 400);
  for (std::size_t i = 0; i < table.below.size(); i += stride) {
    const auto n = table.first + static_cast<std::int64_t>(i);
    // lgamma in the oracle is good to 1e-18 of its value, which bounds what can be judged
    const double doubt = 1e-13 + 4e-18 * mean * std::log(mean + 1);
    const auto step = static_cast<double>(table.below[i]);
    if (step < 1e-12 || table.above[i] < 1e-3L) continue;
    EXPECT_EQ(poisson(mean, step * (1 - doubt)), n) << n;
    EXPECT_EQ(poisson(mean, step * (1 + doubt)), n + 1) << n;
  }
}

TEST_P(Poisson, FollowsItsDistributionByChiSquare) {
  const double mean = GetParam().mean;
  const LongTable table = sum_distribution(mean);
  constexpr int kDraws = 200000;
  std::vector<double> seen(table.below.size());
  const RandomStream stream{20260101, RandomStage::shot_noise};
  for (int i = 0; i < kDraws; ++i) {
    const auto words = stream.block(static_cast<std::uint64_t>(i));
    seen[static_cast<std::size_t>(poisson(mean, uniform52(words[0], words[1])) - table.first)] += 1;
  }
  // Join counts until each class expects at least 40
  double chi = 0, observed = 0, expected = 0;
  int classes = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    observed += seen[i];
    expected += kDraws * static_cast<double>(table.below[i] - (i > 0 ? table.below[i - 1] : 0));
    if (expected < 40 || static_cast<double>(table.above[i]) * kDraws < 40) continue;
    chi += (observed - expected) * (observed - expected) / expected;
    observed = expected = 0;
    ++classes;
  }
  chi += expected > 0 ? (observed - expected) * (observed - expected) / expected : 0;
  // Wilson-Hilferty: the cube root of chi-square is normal; five deviations
  const double degrees = std::max(1, classes);
  const double z =
      (std::cbrt(chi / degrees) - (1 - 2 / (9 * degrees))) / std::sqrt(2 / (9 * degrees));
  EXPECT_LT(std::abs(z), 4) << "chi-square " << chi << " with " << degrees << " degrees";
}

TEST_P(Poisson, HasTheMeanAndVarianceOfItsParameter) {
  const double mean = GetParam().mean;
  constexpr int kDraws = 200000;
  // A stratified grid of uniforms: the mean of a monotone function of it is nearly exact
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double d = static_cast<double>(poisson(mean, (i + 0.5) / kDraws)) - mean;
    sum += d;
    squares += d * d;
  }
  EXPECT_NEAR(sum / kDraws, 0, 2e-4 * std::sqrt(mean) + 1e-4 * mean / (mean + 1));
  EXPECT_NEAR(squares / kDraws / mean, 1, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Means, Poisson, testing::ValuesIn(kMeans), test::kCaseName);

TEST(PoissonNeighbours, DifferByAtMostOneWhenTheMeanMovesALittle) {
  for (double mean = 0.5; mean < 5e4; mean *= 1.31)
    for (int i = 0; i < 500; ++i) {
      const double u = (i + 0.5) / 500;
      const auto low = poisson(mean, u), high = poisson(mean * (1 + 2e-7), u);
      EXPECT_GE(high, low);
      EXPECT_LE(high, low + 1);
    }
}

TEST(PoissonNeighbours, RiseWithTheMeanThroughTheSwitchOfSamplers) {
  for (int i = 0; i < 2000; ++i) {
    const double u = (i + 0.5) / 2000;
    std::int64_t last = 0;
    for (double mean = 9.9; mean < 10.1; mean += 0.01) {
      const auto n = poisson(mean, u);
      EXPECT_GE(n, last);
      last = n;
    }
  }
}

TEST(PoissonEdges, AreDefined) {
  EXPECT_EQ(poisson(0, 0x1p-53), 0);
  EXPECT_EQ(poisson(0, 1 - 0x1p-53), 0);
  EXPECT_EQ(poisson(1e-300, 1 - 0x1p-53), 0);
  EXPECT_NEAR(static_cast<double>(poisson(1e10, 0.5)), 1e10, 1);
  EXPECT_GT(poisson(1e10, 1 - 0x1p-53), poisson(1e10, 0.99));
}

}  // namespace
}  // namespace synthoscope::simulator
