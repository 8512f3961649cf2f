// SPDX-License-Identifier: MIT
// kernels/visual_words/texture_features.hpp — what a texture is told by at a voxel: responses of a
// bank of filters, freed of the image's brightness and, where wanted, of its local contrast.
#pragma once
#include "kernels/filter_banks.hpp"

namespace synthoscope::kernels {

struct FeatureSpec {
  FilterBankSpec filters;
  /// Responses are divided by the standard deviation of the image's voxels: as filters of sum 0
  /// ignore the mean, those of the image standardised.
  bool standardised = true;
  /// Responses r of a voxel become r log(1 + |r| / 0.03) / |r|, |r| their Euclidean length
  /// (contrast_gain).
  bool contrast_normalised = false;
};

/// Of a voxel of an image of this extent.
std::int64_t feature_count(const FeatureSpec& spec, const Extent3& image);

/// The gain of an image whose voxels have this standard deviation: its inverse where features are
/// standardised, and where the image is not one value everywhere; else 1.
double feature_gain(const FeatureSpec& spec, double standard_deviation);

/// One volume of float32: plane p * F + f is feature f of F of plane p of the image. All features
/// of a plane are made together where its box holds them all.
/// @param setting  whose type counts for nothing
/// @param gain     feature_gain of the image
/// @throws InvalidSpec  as make_filter_bank; a gain that is not positive.
ChosenBank make_texture_features(const NeighbourhoodSetting& setting, const FeatureSpec& spec,
                                 double gain);

}  // namespace synthoscope::kernels
