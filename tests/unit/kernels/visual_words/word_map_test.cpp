// SPDX-License-Identifier: MIT
#include "kernels/visual_words/word_map.hpp"
#include <gtest/gtest.h>
#include <limits>
#include "tests/support/difference.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/random_words.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

/// By the definition, of features made whole: feature f of plane p is plane p * F + f.
std::vector<std::int64_t> words_of(const Volume<float>& features, const Dictionary& dictionary) {
  const std::int64_t count = dictionary.features;
  const std::int64_t plane = features.extent.y * features.extent.x;
  std::vector<std::int64_t> words;
  for (std::int64_t p = 0; p < features.extent.z / count; ++p)
    for (std::int64_t v = 0; v < plane; ++v) {
      double least = std::numeric_limits<double>::infinity();
      words.push_back(0);
      for (std::int64_t k = 0; k < dictionary.size(); ++k) {
        double distance = 0;
        for (std::int64_t f = 0; f < count; ++f) {
          const double x = features.voxels[static_cast<std::size_t>((p * count + f) * plane + v)];
          const double apart = x - dictionary.word(k)[static_cast<std::size_t>(f)];
          distance += apart * apart;
        }
        if (distance < least) {
          least = distance;
          words.back() = k;
        }
      }
    }
  return words;
}

template <class Pixel>
void expect_words_of_features(FilterBank bank, const Extent3& extent, Boundary boundary) {
  SCOPED_TRACE(testing::Message() << name_of(bank) << " " << name_of(boundary) << " "
                                  << name_of(pixel_type_of<Pixel>()));
  const auto image = test::pattern<Pixel>(extent);
  const double most = std::is_integral_v<Pixel> ? double{std::numeric_limits<Pixel>::max()} : 1000;
  const double gain = 4 / most;
  WordMapSpec spec;
  spec.features.filters.bank = bank;
  const NeighbourhoodSetting setting{extent, boundary};
  const auto features = make_texture_features(setting, spec.features, gain).operation;
  const auto dictionary = test::random_words(20, feature_count(spec.features, extent));
  const auto expected = words_of(test::apply_whole<float>(*features, image)[0], dictionary);
  const auto map = make_word_map(setting, spec, gain, dictionary).operation;
  const auto found = test::apply_whole<std::uint8_t>(*map, image, 3)[0];
  EXPECT_TRUE(std::ranges::equal(found.voxels, expected));
  EXPECT_GT(std::ranges::max(expected), 0);
}

TEST(WordMap, HoldsTheNearestWordOfTheFeaturesMadeWhole) {
  for (const Boundary boundary : test::kBoundaries) {
    expect_words_of_features<std::uint16_t>(FilterBank::invariants, {5, 30, 41}, boundary);
    expect_words_of_features<float>(FilterBank::invariants, {1, 30, 41}, boundary);
  }
  expect_words_of_features<std::uint8_t>(FilterBank::mr8, {2, 90, 300}, Boundary::reflect);
  expect_words_of_features<std::uint16_t>(FilterBank::schmid, {1, 30, 41}, Boundary::wrap);
  expect_words_of_features<float>(FilterBank::leung_malik, {1, 30, 41}, Boundary::zero);
}

TEST(WordMap, IsTheSameHoweverCut) {
  WordMapSpec spec;
  spec.features.filters.bank = FilterBank::invariants;
  for (const Extent3& extent : {Extent3{9, 40, 41}, Extent3{1, 90, 300}}) {
    const auto image = test::pattern<std::uint8_t>(extent);
    const auto map = make_word_map({extent, Boundary::wrap}, spec, 0.01,
                                   test::random_words(30, feature_count(spec.features, extent)))
                         .operation;
    test::expect_same_in_bricks<std::uint8_t>(*map, image);
  }
}

TEST(WordMap, IsTheSameOnEveryVectorUnitAndByTheDefinition) {
  const auto image = test::pattern<std::uint16_t>({1, 40, 70});
  const auto dictionary = test::random_words(300, 8);
  const auto words = [&](VectorLevel level, QuantisingStrategy quantising) {
    WordMapSpec spec;
    spec.quantising = quantising;
    const auto map = make_word_map({image.extent, Boundary::mirror, PixelType::float32, level},
                                   spec, 1e-4, dictionary)
                         .operation;
    EXPECT_EQ(map->types().front(), PixelType::uint16);
    return test::apply_whole<std::uint16_t>(*map, image)[0].voxels;
  };
  const auto expected = words(VectorLevel::baseline, QuantisingStrategy::naive);
  EXPECT_GT(std::ranges::max(expected), 255);
  for (const VectorLevel level : {VectorLevel::baseline, VectorLevel::avx2, VectorLevel::avx512}) {
    if (level > vector_level()) break;
    EXPECT_EQ(words(level, QuantisingStrategy::blocked), expected);
  }
}

TEST(WordMap, RefusesWordsOfOtherFeatures) {
  EXPECT_THROW((void)make_word_map({{1, 8, 8}}, {}, 1, test::random_words(4, 13)), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::kernels
