// SPDX-License-Identifier: MIT
// deconvolution/iteration/start.hpp — what iterations begin with.
#pragma once
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "deconvolution/iteration/seen_share.hpp"

namespace synthoscope::deconvolution {

/// The light of an image.
struct ImageLight {
  double sum = 0;      ///< above the background
  double squares = 0;  ///< sum of the squares of the same
  double peak = 0;     ///< with the background
  /// Returns the light that rounding hides beside the brightest voxel.
  [[nodiscard]] double least() const { return 1e-7 * peak; }
  /// Returns the light of a typical bright voxel: the mean over photons, not over voxels, which
  /// does not depend on how much of an image is empty.
  [[nodiscard]] double typical() const { return squares / sum; }
};

/// Reads a float32 image once.
/// @throws InvalidInput  the image has no light above the background.
/// @throws PlanError     beyond the budget.
ImageLight light_of(Source& image, double background, const RunContext& context);

/// Returns the light of every voxel that takes part, if all have the same and the field receives
/// that of the image.
float even_light(const ImageLight& light, const SeenShare& share, const RunContext& context);

/// Momentum does not lead below this part of even_light: from there, voxels could hardly grow
/// again.
inline constexpr float kLeastBeyond = 0.01F;

/// Returns the weight of the step beyond the estimate of an iteration, which counts from 1.
double momentum_after(int iteration);

}  // namespace synthoscope::deconvolution
