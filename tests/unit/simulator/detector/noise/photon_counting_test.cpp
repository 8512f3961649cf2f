// SPDX-License-Identifier: MIT
// photon_counting_test.cpp — counts of blind and of one-bit detectors, against distribution
// functions, closed forms and detectors that are simulated event by event.
#include "simulator/detector/noise/photon_counting.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <random>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/detector/noise/poisson.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct Moments {
  double mean = 0, variance = 0;
};

/// Over uniforms that are spread evenly: the expectation itself, but for the tails.
template <class Count>
Moments moments_of(Count count) {
  constexpr int kDraws = 20000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto n = static_cast<double>(count((i + 0.5) / kDraws));
    sum += n;
    squares += n * n;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

struct BlindCase {
  const char* name;
  double mean, dead_part;
};
constexpr BlindCase kBlind[] = {
    {"hardly_blind", 100, 1e-6},          {"few_counts", 3, 0.01},
    {"blind_for_a_tenth", 1000, 1e-4},    {"blind_for_half", 2000, 5e-4},
    {"blind_for_nine_tenths", 1e5, 9e-5}, {"many_counts", 1e6, 1e-7},
};
class BlindCounter : public testing::TestWithParam<BlindCase> {};

TEST_P(BlindCounter, CountsTheSmallestNumberThatItsDistributionAllows) {
  const auto& c = GetParam();
  for (int i = 0; i < 500; ++i) {
    const double u = (i + 0.5) / 500;
    const std::int64_t n = counted_with_dead_time(c.mean, c.dead_part, u);
    const auto in_the_rest = [&](std::int64_t counted) {
      const double rest = 1 - static_cast<double>(counted) * c.dead_part;
      return rest > 0 ? poisson(c.mean * rest, u) : 0;
    };
    EXPECT_LE(in_the_rest(n), n) << u;
    if (n > 0) {
      EXPECT_GT(in_the_rest(n - 1), n - 1) << u;
    }
  }
}

TEST_P(BlindCounter, CountsMoreForALargerUniform) {
  const auto& c = GetParam();
  std::int64_t before = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t n = counted_with_dead_time(c.mean, c.dead_part, (i + 0.5) / 2000);
    EXPECT_GE(n, before);
    before = n;
  }
}

TEST_P(BlindCounter, HasTheMeanAndVarianceOfARenewalProcess) {
  const auto& c = GetParam();
  const auto found =
      moments_of([&](double u) { return counted_with_dead_time(c.mean, c.dead_part, u); });
  // The detector begins awake: part of a count more than from the middle of a long exposure on
  const double slow = 1 + c.mean * c.dead_part;
  EXPECT_NEAR(found.mean, c.mean / slow, 1 + 1e-3 * found.mean);
  EXPECT_NEAR(found.variance / (c.mean / (slow * slow * slow)), 1, c.mean < 10 ? 0.05 : 0.02);
}

INSTANTIATE_TEST_SUITE_P(Counters, BlindCounter, testing::ValuesIn(kBlind), test::kCaseName);

TEST(BlindCounters, CountWhatAWatchedDetectorCounts) {
  constexpr double kMean = 40, kDead = 0.02;
  constexpr int kExposures = 200000;
  std::mt19937_64 engine{5};
  std::exponential_distribution<double> wait{kMean};
  std::vector<double> watched(200, 0), drawn(200, 0);
  for (int i = 0; i < kExposures; ++i) {
    int n = 0;
    for (double t = wait(engine); t < 1; t += kDead + wait(engine)) ++n;
    watched[static_cast<std::size_t>(n)] += 1;
    const double u = (i + 0.5) / kExposures;
    drawn[static_cast<std::size_t>(counted_with_dead_time(kMean, kDead, u))] += 1;
  }
  double chi2 = 0;
  int bins = 0;
  for (std::size_t n = 0; n < drawn.size(); ++n)
    if (drawn[n] >= 20) {
      chi2 += (watched[n] - drawn[n]) * (watched[n] - drawn[n]) / drawn[n];
      ++bins;
    }
  EXPECT_GT(bins, 15);
  EXPECT_LT(chi2, bins + 5 * std::sqrt(2.0 * bins));
}

TEST(BlindCounters, WithoutDeadTimeArePoisson) {
  for (const double mean : {0.0, 0.3, 7.0, 5000.0})
    for (const double u : {0.001, 0.4, 0.999})
      EXPECT_EQ(counted_with_dead_time(mean, 0, u), poisson(mean, u));
}

TEST(BlindCounters, ThatAreBlindLongerThanTheExposureCountOnce) {
  EXPECT_EQ(counted_with_dead_time(1000, 1.5, 0.5), 1);
  EXPECT_EQ(counted_with_dead_time(0.5, 1.5, 0.6), 0);  // e^-0.5 = 0.607
  EXPECT_EQ(counted_with_dead_time(0.5, 1.5, 0.61), 1);
}

struct FramesCase {
  const char* name;
  double mean;
  std::int64_t frames;
};
constexpr FramesCase kFrames[] = {
    {"one_frame", 0.7, 1},     {"few_photons", 2, 255},       {"half_full", 176.75, 255},
    {"nearly_full", 900, 255}, {"many_frames", 20000, 65535}, {"hardly_any", 1e-4, 4095},
};
class OneBitFrames : public testing::TestWithParam<FramesCase> {};

TEST_P(OneBitFrames, HaveTheMeanAndVarianceOfTheirChance) {
  const auto& c = GetParam();
  const auto frames = static_cast<double>(c.frames);
  const double empty = std::exp(-c.mean / frames), full = -std::expm1(-c.mean / frames);
  const auto found =
      moments_of([&](double u) { return counted_in_one_bit_frames(c.mean, c.frames, u); });
  EXPECT_NEAR(found.mean, frames * full, 1e-4 + 1e-3 * std::sqrt(frames * full * empty));
  EXPECT_NEAR(found.variance, frames * full * empty, 1e-4 + 5e-3 * frames * full * empty);
}

INSTANTIATE_TEST_SUITE_P(Frames, OneBitFrames, testing::ValuesIn(kFrames), test::kCaseName);

TEST(Binomial, IsTheSmallestCountThatReachesTheUniform) {
  // Distribution functions by adding up probabilities one by one, in long double
  for (const std::int64_t trials : {1, 7, 60, 255})
    for (const double chance : {1e-4, 0.1, 0.5, 0.83, 0.9999})
      for (int i = 0; i < 200; ++i) {
        const double u = (i + 0.37) / 200;
        const auto n = static_cast<long double>(trials), p = static_cast<long double>(chance);
        long double term = std::pow(1 - p, n), sum = term;
        std::int64_t k = 0;
        while (sum < static_cast<long double>(u) && k < trials) {
          term *=
              (n - static_cast<long double>(k)) / (static_cast<long double>(k) + 1) * p / (1 - p);
          sum += term;
          ++k;
        }
        EXPECT_EQ(detail::binomial(trials, chance, u), k) << trials << ' ' << chance << ' ' << u;
      }
}

TEST(Binomial, HasItsEnds) {
  EXPECT_EQ(detail::binomial(9, 0, 0.999), 0);
  EXPECT_EQ(detail::binomial(9, 1, 0.001), 9);
  EXPECT_EQ(counted_in_one_bit_frames(0, 255, 0.999), 0);
  EXPECT_EQ(counted_in_one_bit_frames(1e6, 255, 0.001), 255);
}

}  // namespace
}  // namespace synthoscope::simulator
