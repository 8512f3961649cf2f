// SPDX-License-Identifier: MIT
// fit/texture/texture_statistics.hpp — the texture of a population of objects, as statistics.
#pragma once
#include <vector>
#include "fit/estimates/statistics.hpp"
#include "fit/texture/object_texture.hpp"

namespace synthoscope::fit {

/// Returns the statistics of the texture of objects, with their covariance (bootstrap):
///
/// - `contrast K`: standard deviation of band K over the mean level, without that of noise. It is
///   linear near 0, and below 0 if there is less than the noise explains.
/// - `skewness K`: of the band, drawn to 0 where contrast is weak: below 0 for dark spots, above 0
///   for bright ones.
/// - `ring K`: mean level of a ring, less that of the middle of objects.
/// - `quantile P`: of the smoothed inside, over the mean level.
///
/// Means over pixels; objects darker than the median count less, since their noise is larger.
/// @param objects  at least one
Statistics texture_statistics(const std::vector<ObjectTexture>& objects, const TextureRule& rule);

/// Adds to the variances what a scene's stain can never imitate.
void add_unlike_texture(Statistics& real);

}  // namespace synthoscope::fit
