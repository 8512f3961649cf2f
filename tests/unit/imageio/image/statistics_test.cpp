// SPDX-License-Identifier: MIT
#include "imageio/image/statistics.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

Statistics statistics_on(int threads, Source& source, std::int64_t budget = std::int64_t{1} << 30) {
  test::TestContext test{threads, budget};
  return statistics(source, test.context);
}

TEST(Statistics, AgreeWithTwoPassesInLongDouble) {
  const auto voxels = test::pattern<float>({3, 150, 200});
  long double sum = 0, squares = 0;
  for (const float v : voxels.voxels) sum += v;
  const long double mean = sum / static_cast<long double>(voxels.voxels.size());
  for (const float v : voxels.voxels) squares += (v - mean) * (v - mean);
  const long double deviation = std::sqrt(squares / static_cast<long double>(voxels.voxels.size()));
  MemorySource source{voxels.view()};
  const auto figures = statistics_on(2, source);
  EXPECT_EQ(figures.count, 90'000);
  EXPECT_EQ(figures.nonfinite, 0);
  EXPECT_NEAR(figures.mean, static_cast<double>(mean), 1e-12 * std::abs(figures.mean));
  EXPECT_NEAR(figures.standard_deviation, static_cast<double>(deviation),
              1e-12 * figures.standard_deviation);
  EXPECT_EQ(figures.min, *std::min_element(voxels.voxels.begin(), voxels.voxels.end()));
  EXPECT_EQ(figures.max, *std::max_element(voxels.voxels.begin(), voxels.voxels.end()));
}

TEST(Statistics, KeepTheirSpreadOnALargeOffset) {
  Volume<double> voxels{{2, 1, 2}};
  voxels.voxels = {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4};
  MemorySource source{voxels.view()};
  EXPECT_DOUBLE_EQ(statistics_on(1, source).standard_deviation, std::sqrt(1.25));
}

TEST(Statistics, CountWhatIsNotFiniteAndLeaveItOut) {
  Volume<float> voxels{{1, 2, 3}};
  const float infinity = std::numeric_limits<float>::infinity();
  voxels.voxels = {NAN, 1, infinity, 3, -infinity, 5};
  MemorySource source{voxels.view()};
  const auto figures = statistics_on(1, source);
  EXPECT_EQ(figures.nonfinite, 3);
  EXPECT_EQ(figures.nan, 1);
  EXPECT_TRUE(figures.has_finite());
  EXPECT_EQ(figures.min, 1);
  EXPECT_EQ(figures.max, 5);
  EXPECT_EQ(figures.mean, 3);
}

TEST(Statistics, OfNothingFiniteAreZero) {
  Volume<float> voxels{{1, 1, 2}};
  voxels.voxels = {NAN, NAN};
  MemorySource source{voxels.view()};
  const auto figures = statistics_on(1, source);
  EXPECT_EQ(figures.nonfinite, 2);
  EXPECT_EQ(figures.min, 0);
  EXPECT_EQ(figures.standard_deviation, 0);
}

TEST(Statistics, AreTheSameForEveryNumberOfThreads) {
  const auto voxels = test::pattern<double>({11, 700, 301});
  MemorySource source{voxels.view()};
  const auto one = statistics_on(1, source);
  for (const int threads : {2, 7}) {
    const auto figures = statistics_on(threads, source);
    EXPECT_EQ(figures.mean, one.mean);
    EXPECT_EQ(figures.standard_deviation, one.standard_deviation);
  }
}

TEST(Statistics, RefuseABudgetWithoutRoomForARow) {
  const auto voxels = test::pattern<float>({1, 4, 1000});
  MemorySource source{voxels.view()};
  test::expect_failure<PlanError>([&] { statistics_on(1, source, 1000); },
                                  {"statistics", "--memory"});
}

}  // namespace
}  // namespace synthoscope::imageio
