// SPDX-License-Identifier: MIT
// kernels/visual_words/texture_features.hpp — the description of a texture at a voxel: responses of
// a bank of filters, independent of the image's brightness and, on request, of its local contrast.
#pragma once
#include "kernels/banks/filter_banks.hpp"

namespace synthoscope::kernels {

struct FeatureSpec {
  FilterBankSpec filters;
  /// Responses are divided by the standard deviation of the image's voxels. As filters of sum 0
  /// ignore the mean, they are then responses to the standardised image.
  bool standardised = true;
  /// Responses r of a voxel become r log(1 + |r| / 0.03) / |r|, |r| their Euclidean length
  /// (contrast_gain).
  bool contrast_normalised = false;
};

/// Returns the number of features of a voxel of an image of this extent.
std::int64_t feature_count(const FeatureSpec& spec, const Extent3& image);

/// Returns the gain of an image whose voxels have this standard deviation: its inverse if features
/// are standardised and the image is not constant; otherwise 1.
double feature_gain(const FeatureSpec& spec, double standard_deviation);

/// Makes one volume of float32: plane p * F + f is feature f of F of plane p of the image. All
/// features of a plane are made together if its box holds them all.
/// @param setting  its type is ignored
/// @param gain     feature_gain of the image
/// @throws InvalidSpec  as make_filter_bank; a gain that is not positive.
ChosenBank make_texture_features(const NeighbourhoodSetting& setting, const FeatureSpec& spec,
                                 double gain);

}  // namespace synthoscope::kernels
