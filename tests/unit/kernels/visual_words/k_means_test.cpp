// SPDX-License-Identifier: MIT
#include "kernels/visual_words/k_means.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include "core/base/error.hpp"
#include "kernels/visual_words/assigned_samples.hpp"
#include "kernels/visual_words/nearest_word.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/feature_samples.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::kernels {
namespace {

using test::FeatureSamples;
using test::TestContext;

KMeansResult learn(const FeatureSamples& samples, const KMeansSpec& spec, int threads = 2) {
  TestContext test{threads};
  auto result = k_means(samples.block(), spec, test.context);
  EXPECT_LE(test.memory.peak(), AssignedSamples::bytes(samples.block(), spec.words));
  EXPECT_EQ(test.memory.used(), 0);
  return result;
}

KMeansResult learn_from(const FeatureSamples& samples, const Dictionary& start,
                        const KMeansSpec& spec = {}) {
  TestContext test;
  return k_means_from(samples.block(), start, spec, test.context);
}

/// `each` samples around each of `clusters` points that lie far from each other.
FeatureSamples planted(std::int64_t features, std::int64_t clusters, std::int64_t each) {
  FeatureSamples samples = test::scattered(features, clusters * each, 5, 0, 0.1F);
  const FeatureSamples centres = test::scattered(features, clusters, 6, 0, 100);
  for (std::int64_t i = 0; i < clusters * each; ++i)
    for (std::int64_t f = 0; f < features; ++f)
      samples.at(f, i) += centres.block().at(f, i % clusters);
  return samples;
}

TEST(KMeans, FindsClustersThatWerePlanted) {
  const auto samples = planted(8, 20, 300);
  const auto result = learn(samples, {.words = 20, .seed = 3});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.sizes, std::vector<std::int64_t>(20, 300));
  // Variance 0.01 of 8 features, as far as 6000 samples tell
  EXPECT_NEAR(result.inertia, 6000 * 8 * 0.01, 20);
}

TEST(KMeans, ConvergesToMeansOfWhatIsNearest) {
  const auto samples = test::scattered(5, 2000, 7);
  const auto result = learn(samples, {.words = 30, .most_iterations = 500, .tolerance = 0});
  ASSERT_TRUE(result.converged);
  std::vector<std::uint16_t> words(2000);
  std::vector<float> distances(2000);
  NearestWord{result.dictionary}.assign(samples.block(), words, distances);
  EXPECT_NEAR(result.inertia, std::accumulate(distances.begin(), distances.end(), 0.0), 1e-9);
  for (std::uint16_t k = 0; k < 30; ++k) {
    EXPECT_EQ(result.sizes[k], std::count(words.begin(), words.end(), k));
    for (std::int64_t f = 0; f < 5; ++f) {
      double sum = 0;
      for (std::int64_t i = 0; i < 2000; ++i)
        if (words[static_cast<std::size_t>(i)] == k) sum += double{samples.block().at(f, i)};
      EXPECT_NEAR(result.dictionary.word(k)[static_cast<std::size_t>(f)],
                  sum / static_cast<double>(result.sizes[k]), 1e-6);
    }
  }
}

TEST(KMeans, IsTheSameByAnyNumberOfThreads) {
  const auto samples = test::scattered(8, 30000, 8);
  const KMeansSpec spec{.words = 40, .most_iterations = 5, .seed = 11};
  const auto one = learn(samples, spec, 1), three = learn(samples, spec, 3);
  EXPECT_EQ(one.dictionary.centroids, three.dictionary.centroids);
  EXPECT_EQ(one.sizes, three.sizes);
  EXPECT_EQ(one.inertia, three.inertia);
}

TEST(KMeans, BeginsElsewhereWithAnotherSeed) {
  const auto samples = test::scattered(3, 1000, 8);
  EXPECT_NE(learn(samples, {.words = 9, .seed = 1}).dictionary.centroids,
            learn(samples, {.words = 9, .seed = 2}).dictionary.centroids);
}

TEST(KMeans, NeverGetsWorse) {
  const auto samples = test::scattered(4, 5000, 9);
  double before = std::numeric_limits<double>::infinity();
  for (const int iterations : {1, 2, 4, 8, 16, 32}) {
    const auto result =
        learn(samples, {.words = 25, .most_iterations = iterations, .tolerance = 0, .seed = 4});
    EXPECT_LT(result.inertia, before) << iterations;
    EXPECT_EQ(result.iterations, iterations);
    EXPECT_FALSE(result.converged);
    before = result.inertia;
  }
}

TEST(KMeans, RestsWhenWordsMoveLessThanTheTolerance) {
  const auto samples = test::scattered(4, 5000, 9);
  const auto early = learn(samples, {.words = 25, .most_iterations = 500, .tolerance = 1e-2});
  const auto late = learn(samples, {.words = 25, .most_iterations = 500, .tolerance = 0});
  EXPECT_TRUE(early.converged);
  EXPECT_TRUE(late.converged);
  EXPECT_LT(early.iterations, late.iterations / 2);
}

TEST(KMeans, OfOneWordIsTheMean) {
  const FeatureSamples samples{2, {{1, 2}, {3, 4}, {8, 0}}};
  const auto result = learn(samples, {.words = 1});
  EXPECT_EQ(result.dictionary.centroids, (std::vector<float>{4, 2}));
  EXPECT_EQ(result.inertia, 9 + 0 + 1 + 4 + 16 + 4);
  EXPECT_TRUE(result.converged);
}

TEST(KMeans, OfAsManyWordsAsSamplesHasEach) {
  const FeatureSamples samples{1, {{5}, {1}, {9}, {7}}};
  const auto result = learn(samples, {.words = 4});
  auto words = result.dictionary.centroids;
  std::ranges::sort(words);
  EXPECT_EQ(words, (std::vector<float>{1, 5, 7, 9}));
  EXPECT_EQ(result.inertia, 0);
}

TEST(KMeans, OfOneSampleIsThatSample) {
  const FeatureSamples samples{3, {{1, 2, 3}}};
  EXPECT_EQ(learn(samples, {.words = 1}).dictionary.centroids, (std::vector<float>{1, 2, 3}));
}

TEST(KMeans, RefusesMoreWordsThanSamplesThatDiffer) {
  FeatureSamples samples{2, 100};
  for (std::int64_t i = 0; i < 100; ++i) {
    samples.at(0, i) = static_cast<float>(i % 7);
    samples.at(1, i) = 1;
  }
  EXPECT_EQ(learn(samples, {.words = 7}).inertia, 0);
  test::expect_failure<InvalidSpec>([&] { learn(samples, {.words = 8}); },
                                    {"8 words from 100 samples, of which only 7 differ"});
}

TEST(KMeans, GivesAWordWithoutSamplesTheFarthestOne) {
  // Nothing is near to the last two words; 50 and 40 are farthest from the first
  const FeatureSamples samples{1, {{0}, {1}, {40}, {2}, {50}, {3}}};
  const auto result = learn_from(samples, {1, {0, 900, 1000}}, {.tolerance = 0});
  EXPECT_EQ(result.dictionary.centroids, (std::vector<float>{1.5F, 50, 40}));
  EXPECT_EQ(result.sizes, (std::vector<std::int64_t>{4, 1, 1}));
}

TEST(KMeans, LeavesWordsThatNoSampleIsLeftFor) {
  const FeatureSamples samples{1, {{4}, {4}, {4}}};
  const auto result = learn_from(samples, {1, {5, 6, 7}});
  EXPECT_EQ(result.sizes, (std::vector<std::int64_t>{3, 0, 0}));
  EXPECT_EQ(result.dictionary.centroids[0], 4);
  EXPECT_EQ(result.inertia, 0);
  EXPECT_TRUE(result.converged);
}

TEST(KMeans, StopsWhenAsked) {
  const auto samples = test::scattered(3, 1000, 8);
  TestContext test;
  test.stop.request();
  EXPECT_THROW(k_means(samples.block(), {.words = 9}, test.context), Interrupted);
  EXPECT_THROW(k_means_from(samples.block(), samples.as_words(), {}, test.context), Interrupted);
}

TEST(KMeans, KeepsItsMemoryPromise) {
  const auto samples = test::scattered(3, 1000, 8);
  TestContext test{2, AssignedSamples::bytes(samples.block(), 50) - 1};
  EXPECT_THROW(k_means(samples.block(), {.words = 50}, test.context), PlanError);
}

TEST(KMeans, RefusesInASentence) {
  const auto samples = test::scattered(3, 10, 8);
  auto broken = samples;
  broken.at(1, 4) = std::numeric_limits<float>::quiet_NaN();
  const auto refuse = [&](const KMeansSpec& spec, const char* words) {
    test::expect_failure<InvalidSpec>([&] { learn(samples, spec); }, {words});
  };
  refuse({.words = 0}, "0 words; 1 to 65536");
  refuse({.words = 65537}, "65537 words; 1 to 65536");
  refuse({.words = 11}, "11 words from 10 samples");
  refuse({.words = 2, .most_iterations = 0}, "0 iterations");
  refuse({.words = 2, .tolerance = -1}, "the tolerance is -1");
  test::expect_failure<InvalidInput>([&] { learn(broken, {.words = 2}); },
                                     {"feature 1 of sample 4 is nan"});
  test::expect_failure<InvalidSpec>(
      [&] {
        learn_from(samples, {2, {1, 2}});
      },
      {"words have 2 features, but the samples 3"});
}

}  // namespace
}  // namespace synthoscope::kernels
