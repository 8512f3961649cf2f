// SPDX-License-Identifier: MIT
#include "kernels/visual_words/nearest_word.hpp"
#include <gtest/gtest.h>
#include <limits>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/feature_samples.hpp"

namespace synthoscope::kernels {
namespace {

using test::FeatureSamples;
using Words = std::vector<std::uint16_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

struct Assigned {
  Words words;
  std::vector<float> distances;
  std::int64_t in_double = 0;
};

Assigned assign(const NearestWord& nearest, const FeatureBlock& samples) {
  const auto count = static_cast<std::size_t>(samples.count);
  Assigned assigned{Words(count, 77), std::vector<float>(count, -1)};
  assigned.in_double = nearest.assign(samples, assigned.words, assigned.distances);
  return assigned;
}

/// The definition again.
Words nearest_by_definition(const Dictionary& dictionary, const FeatureBlock& samples) {
  Words words;
  for (std::int64_t i = 0; i < samples.count; ++i) {
    double least = std::numeric_limits<double>::infinity();
    std::uint16_t nearest = 0;
    for (std::int64_t k = 0; k < dictionary.size(); ++k) {
      double sum = 0;
      for (std::int64_t f = 0; f < samples.features; ++f) {
        const double apart =
            double{samples.at(f, i)} - double{dictionary.word(k)[static_cast<std::size_t>(f)]};
        sum += apart * apart;
      }
      if (sum < least) {
        least = sum;
        nearest = static_cast<std::uint16_t>(k);
      }
    }
    words.push_back(nearest);
  }
  return words;
}

struct NearestCase {
  const char* name;
  std::int64_t features, words, samples;
  float offset = 0, spread = 1;
};

// One row says one thing: name, features, words, samples, where they lie
// clang-format off
constexpr NearestCase kNearestCases[] = {
    {"one_of_each",                1,    1,    1},
    {"a_feature",                  1,    7,  300},
    {"mr8",                        8,   50, 1000},
    {"schmid",                    13,  200,  500},
    {"leung_malik",               48,  100,  300},
    {"most_features",            256,    9,   70},
    {"words_beyond_a_byte",        3,  700,  200},
    {"a_full_block",               5,    6,   64},
    {"one_beyond_a_block",         5,   13,   65},
    {"far_from_zero",              8,   50,  500,  1e4F,    1},
    {"tiny",                       8,   50,  500,     0, 1e-21F},
    {"smaller_than_squares_hold",  8,   50,  500,     0, 1e-38F},
    {"huge",                       8,   50,  500,     0,  1e18F},
    {"larger_than_squares_hold",   8,   50,  500,     0,  1e37F},
};
// clang-format on

class NearestWordOf : public testing::TestWithParam<NearestCase> {
 protected:
  const NearestCase& c = GetParam();
  const Dictionary dictionary =
      test::scattered(c.features, c.words, 1, c.offset, c.spread).as_words();
  const FeatureSamples samples = test::scattered(c.features, c.samples, 2, c.offset, c.spread);
  const Words expected = nearest_by_definition(dictionary, samples.block());
};

TEST_P(NearestWordOf, IsThatOfTheDefinitionAtEveryVectorLevel) {
  for (const auto strategy : {QuantisingStrategy::naive, QuantisingStrategy::blocked})
    for (int level = 0; level <= static_cast<int>(vector_level()); ++level) {
      const NearestWord nearest{dictionary, strategy, static_cast<VectorLevel>(level)};
      EXPECT_EQ(assign(nearest, samples.block()).words, expected)
          << name_of(strategy) << " " << name_of(static_cast<VectorLevel>(level));
    }
}

TEST_P(NearestWordOf, IsTheSameInWhateverParts) {
  const NearestWord nearest{dictionary};
  for (const std::int64_t part : {1, 17, 64, 100}) {
    Words words(expected.size());
    for (std::int64_t begin = 0; begin < c.samples; begin += part) {
      const std::int64_t count = std::min(part, c.samples - begin);
      nearest.assign(samples.block().part(begin, count),
                     std::span{words}.subspan(static_cast<std::size_t>(begin),
                                              static_cast<std::size_t>(count)));
    }
    EXPECT_EQ(words, expected) << part;
  }
}

TEST_P(NearestWordOf, IsAtTheDistanceThatItSays) {
  const auto got = assign(NearestWord{dictionary}, samples.block());
  for (std::int64_t i = 0; i < c.samples; ++i) {
    double sum = 0;
    for (std::int64_t f = 0; f < c.features; ++f) {
      const double apart = double{samples.block().at(f, i)} -
                           double{dictionary.word(
                               expected[static_cast<std::size_t>(i)])[static_cast<std::size_t>(f)]};
      sum += apart * apart;
    }
    EXPECT_EQ(got.distances[static_cast<std::size_t>(i)], static_cast<float>(sum));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, NearestWordOf, testing::ValuesIn(kNearestCases), test::kCaseName);

TEST(NearestWord, OfEqualOnesIsTheFirst) {
  // Corners of a grid, each word twice: samples in the middle of edges and faces have many
  const Dictionary dictionary{2, {3, 3, 1, 1, 1, 3, 3, 1, 3, 3, 1, 1, 1, 3, 3, 1}};
  const FeatureSamples samples{2, {{2, 2}, {1, 2}, {3, 2}, {2, 3}, {1, 1}, {9, 0}}};
  const Words expected{0, 1, 0, 0, 1, 3};
  const auto got = assign(NearestWord{dictionary}, samples.block());
  EXPECT_EQ(got.words, expected);
  EXPECT_EQ(got.in_double, 6);
}

TEST(NearestWord, IsThatOfTheDefinitionHalfwayBetweenWords) {
  // As far as float32 goes: scores in float32 alone take the wrong one of two for some
  constexpr std::int64_t kFeatures = 48, kWords = 20;
  for (const float offset : {0.0F, 100.0F}) {
    const auto dictionary = test::scattered(kFeatures, kWords, 3, offset).as_words();
    FeatureSamples samples{kFeatures, kWords * kWords};
    for (std::int64_t i = 0; i < kWords * kWords; ++i)
      for (std::int64_t f = 0; f < kFeatures; ++f) {
        const auto at = static_cast<std::size_t>(f);
        samples.at(f, i) = (dictionary.word(i / kWords)[at] + dictionary.word(i % kWords)[at]) / 2;
      }
    for (int level = 0; level <= static_cast<int>(vector_level()); ++level) {
      const NearestWord nearest{dictionary, QuantisingStrategy::blocked,
                                static_cast<VectorLevel>(level)};
      EXPECT_EQ(assign(nearest, samples.block()).words,
                nearest_by_definition(dictionary, samples.block()));
    }
  }
}

TEST(NearestWord, IsDecidedInDoubleForFewSamples) {
  const auto dictionary = test::scattered(8, 200, 3).as_words();
  const auto samples = test::scattered(8, 20000, 4);
  const auto got = assign(NearestWord{dictionary}, samples.block());
  EXPECT_LT(got.in_double, 20);
  EXPECT_EQ(assign(NearestWord{dictionary, QuantisingStrategy::naive}, samples.block()).in_double,
            20000);
}

TEST(NearestWord, OfWhatIsNotFiniteIsTheFirst) {
  const Dictionary dictionary{2, {5, 5, 1, 1}};
  const FeatureSamples samples{2,
                               {{kNoNumber, 1}, {1, 1}, {1, kInfinity}, {-kInfinity, kInfinity}}};
  for (const auto strategy : {QuantisingStrategy::naive, QuantisingStrategy::blocked})
    EXPECT_EQ(assign(NearestWord{dictionary, strategy}, samples.block()).words,
              (Words{0, 1, 0, 0}));
}

struct RefusedDictionary {
  const char* name;
  Dictionary dictionary;
  const char* words;
};

TEST(Dictionaries, AreRefusedInASentence) {
  const RefusedDictionary cases[] = {
      {"no_features", {0, {}}, "words have 0 features; 1 to 256"},
      {"too_many_features", {257, std::vector<float>(257)}, "words have 257 features"},
      {"no_words", {3, {}}, "0 values are not a whole number of words of 3 features"},
      {"part_of_a_word", {3, {1, 2, 3, 4}}, "4 values are not a whole number"},
      {"too_many_words", {1, std::vector<float>(65537)}, "65537 words; at most 65536"},
      {"not_a_number", {2, {1, 2, 3, kNoNumber}}, "feature 1 of word 1 is nan"},
      {"infinite", {2, {1, kInfinity, 3, 4}}, "feature 1 of word 0 is inf"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    test::expect_failure<InvalidSpec>([&] { NearestWord{c.dictionary}; }, {c.words});
  }
  EXPECT_NO_THROW((NearestWord{Dictionary{1, std::vector<float>(65536)}}));
}

}  // namespace
}  // namespace synthoscope::kernels
