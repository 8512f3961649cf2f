// SPDX-License-Identifier: MIT
// jobs/deconvolve/regularization.hpp — what is expected of light before an image is seen.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include "core/base/log.hpp"
#include "deconvolution/iteration/total_variation.hpp"
#include "imageio/image/info.hpp"

namespace synthoscope::jobs {

/// A penalty that keeps noise out of an estimate; none unless given.
struct Regularization {
  /// L of a penalty for total variation (deconvolution::VariationSpec).
  std::optional<double> variation;
  friend bool operator==(const Regularization&, const Regularization&) = default;
};

/// The largest L: what is as large flattens every object.
inline constexpr double kMostVariation = 1;

/// Reads `none` or `tv:L`.
/// @throws InvalidSpec  another text, or an L that is not above 0 and at most kMostVariation.
Regularization parse_regularization(std::string_view text);

/// The inverse of parse_regularization.
std::string print(const Regularization& regularization);

/// Returns the penalty for an image. Unless all sides of a voxel are known, from the image or else
/// the PSF, they are taken as equal, which `log` notes.
std::optional<deconvolution::VariationSpec> variation_of(const Regularization& regularization,
                                                         const imageio::ImageInfo& image,
                                                         const imageio::ImageInfo& psf, Log& log);

}  // namespace synthoscope::jobs
