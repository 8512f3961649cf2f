// SPDX-License-Identifier: MIT
// Words of a device are those that the host gives its features, and the host's own but where the
// rounding of features decides.
#include "kernels/visual_words/word_map.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/kernels/run_on_device.hpp"
#include "tests/support/random_words.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr std::int64_t kBrickBytes = std::int64_t{1} << 30;

/// Every word twice: all samples are as near to two of them.
Dictionary twice(Dictionary dictionary) {
  const std::vector<float> once = dictionary.centroids;
  dictionary.centroids.insert(dictionary.centroids.end(), once.begin(), once.end());
  return dictionary;
}

struct MapCase {
  const char* name;
  FilterBank bank;
  Extent3 image;
  Boundary boundary;
  std::int64_t words;
  bool contrast_normalised;
};

// clang-format off
constexpr MapCase kMapCases[] = {
    {"mr8",               FilterBank::mr8,         {2, 61, 173},  Boundary::reflect, 200, false},
    {"mr8_contrast",      FilterBank::mr8,         {1, 61, 173},  Boundary::mirror,  50,  true},
    {"schmid",            FilterBank::schmid,      {1, 61, 173},  Boundary::zero,    300, false},
    {"leung_malik",       FilterBank::leung_malik, {1, 61, 173},  Boundary::wrap,    400, false},
    {"invariants_planes", FilterBank::invariants,  {1, 90, 300},  Boundary::nearest, 100, false},
    {"invariants_volume", FilterBank::invariants,  {20, 41, 60},  Boundary::reflect, 100, true},
};
// clang-format on

class DeviceWordMap : public cuda::GpuTest, public testing::WithParamInterface<MapCase> {
 protected:
  const MapCase& c = GetParam();
  const Volume<std::uint16_t> image = test::pattern<std::uint16_t>(c.image);
  const NeighbourhoodSetting setting{c.image, c.boundary};
  const double gain = 4.0 / 65535;
  const WordMapSpec spec{{{c.bank}, true, c.contrast_normalised}, QuantisingStrategy::automatic};
  const std::int64_t features = feature_count(spec.features, c.image);

  std::vector<std::int64_t> words_there(const Dictionary& dictionary,
                                        std::int64_t brick_bytes = kBrickBytes) {
    const auto map = make_word_map(setting, spec, gain, dictionary).operation;
    if (dictionary.size() <= 256) {
      const auto found = test::run_on_device<std::uint8_t>(info, *map, image, brick_bytes);
      return {found.voxels.begin(), found.voxels.end()};
    }
    const auto found = test::run_on_device<std::uint16_t>(info, *map, image, brick_bytes);
    return {found.voxels.begin(), found.voxels.end()};
  }
};

/// By the host, of features of planes: feature f of plane p is plane p * F + f.
std::vector<std::int64_t> words_of(const Volume<float>& all, const Dictionary& dictionary) {
  const NearestWord nearest{dictionary, QuantisingStrategy::naive};
  const std::int64_t count = all.extent.y * all.extent.x;
  std::vector<std::uint16_t> plane(static_cast<std::size_t>(count));
  std::vector<std::int64_t> words;
  for (std::int64_t z = 0; z < all.extent.z; z += dictionary.features) {
    nearest.assign({all.voxels.data() + z * count, count, count, dictionary.features}, plane);
    words.insert(words.end(), plane.begin(), plane.end());
  }
  return words;
}

TEST_P(DeviceWordMap, HoldsTheNearestWordsOfTheFeaturesMadeThere) {
  const auto operation = make_texture_features(setting, spec.features, gain).operation;
  const auto made = test::run_on_device<float>(info, *operation, image, kBrickBytes);
  for (const Dictionary& dictionary :
       {test::random_words(c.words, features), twice(test::random_words(c.words, features))})
    EXPECT_EQ(words_there(dictionary), words_of(made, dictionary));
}

TEST_P(DeviceWordMap, IsTheSameInBricks) {
  const Dictionary dictionary = test::random_words(c.words, features);
  const auto expected = words_there(dictionary);
  for (const std::int64_t bytes : {volume(c.image), 8 * volume(c.image)})
    EXPECT_EQ(words_there(dictionary, bytes), expected) << "in bricks of " << bytes << " bytes";
}

TEST_P(DeviceWordMap, IsTheHostsButWhereRoundingOfFeaturesDecides) {
  const Dictionary dictionary = test::random_words(c.words, features);
  const auto operation = make_texture_features(setting, spec.features, gain).operation;
  const auto made = test::apply_whole<float>(*operation, image, 4)[0];
  const auto here = words_of(made, dictionary), there = words_there(dictionary);
  // Features of host and device differ by 4e-6 of the largest voxel (magnitudes of a filter's
  // weights add up to 1, of some invariants' to 3), and where contrast is normalised 33 times that
  const double each = 3 * 4e-6 * 4 * (c.contrast_normalised ? 34 : 1);
  const double off = each * std::sqrt(static_cast<double>(features));
  const std::int64_t plane = c.image.y * c.image.x;
  std::int64_t differ = 0;
  for (std::int64_t i = 0; i < volume(c.image); ++i) {
    const std::int64_t a = here[static_cast<std::size_t>(i)],
                       b = there[static_cast<std::size_t>(i)];
    if (a == b) continue;
    ++differ;
    double to_a = 0, to_b = 0, apart = 0;
    for (std::int64_t f = 0; f < features; ++f) {
      const double x =
          made.voxels[static_cast<std::size_t>((i / plane * features + f) * plane + i % plane)];
      const double at_a = dictionary.word(a)[static_cast<std::size_t>(f)];
      const double at_b = dictionary.word(b)[static_cast<std::size_t>(f)];
      to_a += (x - at_a) * (x - at_a);
      to_b += (x - at_b) * (x - at_b);
      apart += (at_a - at_b) * (at_a - at_b);
    }
    // |x - a|^2 - |x - b|^2 is linear in x, its slope 2 |a - b|
    EXPECT_LE(to_b - to_a, 2 * std::sqrt(apart) * off) << "voxel " << i;
  }
  RecordProperty("differing_words", static_cast<int>(differ));
  EXPECT_LE(static_cast<double>(differ), 2e-3 * static_cast<double>(volume(c.image)));
}

INSTANTIATE_TEST_SUITE_P(Cases, DeviceWordMap, testing::ValuesIn(kMapCases),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace synthoscope::kernels::device
