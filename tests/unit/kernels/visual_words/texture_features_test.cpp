// SPDX-License-Identifier: MIT
#include "kernels/visual_words/texture_features.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

FeatureSpec features_of(FilterBank bank, bool contrast_normalised = false) {
  FeatureSpec spec;
  spec.filters.bank = bank;
  spec.contrast_normalised = contrast_normalised;
  return spec;
}

TEST(TextureFeatures, AreResponsesTimesTheGain) {
  const auto image = test::pattern<std::uint8_t>({2, 30, 41});
  const auto bank = make_filter_bank({image.extent}, {FilterBank::schmid}).operation;
  const auto responses = test::apply_whole<float>(*bank, image)[0];
  const double gain = feature_gain({}, 64);
  EXPECT_EQ(gain, 1 / 64.0);
  const auto operation =
      make_texture_features({image.extent}, features_of(FilterBank::schmid), gain).operation;
  const auto features = test::apply_whole<float>(*operation, image)[0];
  ASSERT_EQ(features.extent, (Extent3{26, 30, 41}));
  for (std::size_t i = 0; i < features.voxels.size(); ++i)
    ASSERT_EQ(features.voxels[i], responses.voxels[i] / 64);
}

TEST(TextureFeatures, AreNotScaledWhereNobodyAsksOrNothingVaries) {
  FeatureSpec plain;
  plain.standardised = false;
  EXPECT_EQ(feature_gain(plain, 64), 1);
  EXPECT_EQ(feature_gain({}, 0), 1);
}

TEST(TextureFeatures, FollowWebersLawWhereContrastIsNormalised) {
  const auto image = test::pattern<float>({2, 30, 41});
  constexpr double kGain = 1e-3;
  const auto plain =
      make_texture_features({image.extent}, features_of(FilterBank::mr8), kGain).operation;
  const auto normalised =
      make_texture_features({image.extent}, features_of(FilterBank::mr8, true), kGain).operation;
  const auto responses = test::apply_whole<float>(*plain, image)[0];
  const auto features = test::apply_whole<float>(*normalised, image)[0];
  const std::int64_t voxels = 30 * 41;
  double largest = 0;
  for (std::int64_t plane = 0; plane < 2; ++plane)
    for (std::int64_t v = 0; v < voxels; ++v) {
      double square = 0;
      const auto at = [&](std::int64_t f) {
        return static_cast<std::size_t>((plane * 8 + f) * voxels + v);
      };
      for (std::int64_t f = 0; f < 8; ++f) square += std::pow(double{responses.voxels[at(f)]}, 2);
      const double length = std::sqrt(square), gain = std::log(1 + length / 0.03) / length;
      largest = std::max(largest, length);
      for (std::int64_t f = 0; f < 8; ++f)
        ASSERT_NEAR(features.voxels[at(f)], responses.voxels[at(f)] * gain, 2e-6 * gain * length);
    }
  EXPECT_GT(largest, 0.03);  // where the law bends
}

TEST(TextureFeatures, AreNothingWhereTheImageIsFlat) {
  Volume<float> image{{1, 20, 20}};
  for (float& voxel : image.voxels) voxel = 1;
  const auto operation =
      make_texture_features({image.extent}, features_of(FilterBank::invariants, true), 1).operation;
  const auto features = test::apply_whole<float>(*operation, image)[0];
  for (const float value : features.voxels)
    EXPECT_NEAR(value, 0, 1e-4);  // a rounding of 1e-6, over 0.03
}

TEST(TextureFeatures, HaveTheSameBitsHoweverCut) {
  const auto image = test::pattern<std::uint16_t>({3, 30, 41});
  for (const FilterBank bank : {FilterBank::mr8, FilterBank::invariants})
    for (const bool normalised : {false, true}) {
      SCOPED_TRACE(testing::Message() << name_of(bank) << (normalised ? " normalised" : ""));
      const auto operation = make_texture_features({image.extent, Boundary::mirror},
                                                   features_of(bank, normalised), 1e-3)
                                 .operation;
      test::expect_same_in_bricks<float>(*operation, image);
    }
}

TEST(TextureFeatures, RefuseAGainThatIsNone) {
  for (const double gain : {0.0, -1.0, std::nan("")})
    EXPECT_THROW((void)make_texture_features({{1, 8, 8}}, {}, gain), InvalidSpec) << gain;
}

}  // namespace
}  // namespace synthoscope::kernels
