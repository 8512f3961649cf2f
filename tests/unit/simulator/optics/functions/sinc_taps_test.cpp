// SPDX-License-Identifier: MIT
// sinc_taps_test.cpp — samples that are moved and respaced stay the function they were.
#include "simulator/optics/functions/sinc_taps.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kSamples = 60;

/// What taps make of samples of `function`.
template <class Function>
std::vector<double> resampled(const std::vector<Taps>& all, Function function) {
  std::vector<double> values;
  for (const Taps& taps : all) {
    double sum = 0;
    for (std::size_t i = 0; i < taps.weights.size(); ++i)
      sum += taps.weights[i] * function(static_cast<double>(taps.first) + static_cast<double>(i));
    values.push_back(sum);
  }
  return values;
}

struct SpacingCase {
  const char* name;
  double start, step;
  std::int64_t count;
};
constexpr SpacingCase kSpacings[] = {
    {"moved", 10.37, 1, 30}, {"finer", 12.1, 0.23, 120}, {"coarser", 8.5, 2.7, 15}};

class Spacing : public testing::TestWithParam<SpacingCase> {
 protected:
  const SpacingCase& c = GetParam();
  [[nodiscard]] double at(std::size_t i) const { return c.start + static_cast<double>(i) * c.step; }
};

TEST_P(Spacing, KeepsAConstant) {
  for (const double width : {0.0, 1.0, 2.5})
    for (const double value : resampled(sinc_taps(kSamples, c.start, c.step, c.count, width),
                                        [](double) { return 3.0; }))
      EXPECT_NEAR(value, 3, 1e-12);
}

TEST_P(Spacing, FollowsABellThatTheSamplesResolve) {
  const auto bell = [](double x) { return std::exp(-0.5 * std::pow((x - 30.3) / 2, 2)); };
  const auto values = resampled(sinc_taps(kSamples, c.start, c.step, c.count, 0), bell);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], bell(at(i)), 1e-4) << at(i);
}

TEST_P(Spacing, AveragesOverAWidth) {
  constexpr double kWidth = 3.2, kScale = 2 * std::numbers::sqrt2;
  const auto bell = [](double x) { return std::exp(-0.5 * std::pow((x - 30.3) / 2, 2)); };
  const auto values = resampled(sinc_taps(kSamples, c.start, c.step, c.count, kWidth), bell);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double u = at(i) - 30.3;
    const double mean = std::sqrt(std::numbers::pi) / 2 * kScale / kWidth *
                        (std::erf((u + kWidth / 2) / kScale) - std::erf((u - kWidth / 2) / kScale));
    EXPECT_NEAR(values[i], mean, 1e-4) << at(i);
  }
}

INSTANTIATE_TEST_SUITE_P(Spacings, Spacing, testing::ValuesIn(kSpacings), test::kCaseName);

TEST(SincTaps, IsExactAtSamplesAndZeroBeyondThem) {
  const auto line = [](double x) { return 1 + x; };
  const auto values = resampled(sinc_taps(kSamples, -30, 15, 9, 0), line);
  const std::vector<double> expected{0, 0, 1, 16, 31, 46, 0, 0, 0};  // the last sample is at 59
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-12) << i;
}

TEST(SincTaps, ReadsNoSampleThatIsNotThere) {
  for (const double start : {-100.0, -3.5, 0.0, 57.9, 200.0})
    for (const Taps& taps : sinc_taps(kSamples, start, 0.7, 12, 2)) {
      if (taps.weights.empty()) continue;
      EXPECT_GE(taps.first, 0);
      EXPECT_LE(taps.first + static_cast<std::int64_t>(taps.weights.size()), kSamples);
    }
}

}  // namespace
}  // namespace synthoscope::simulator
