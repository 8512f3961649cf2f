// SPDX-License-Identifier: MIT
// fit/camera/hidden_noise.hpp — noise that is weaker than the steps between grey levels.
#pragma once
#include <cstddef>
#include <vector>
#include "fit/camera/noise_line.hpp"

namespace synthoscope::fit {

/// Mean and variance of numbers, the variance around the mean of each.
struct Moments {
  double mean = 0, variance = 0;
};

/// Returns the moments of normal numbers after they were rounded to whole ones, averaged over means
/// that are themselves normal. Far below a variance of 0.25 both depend on the mean: values around
/// 0.5 alternate between two levels, values around 0 do not.
/// @param mean  of the means; @param unevenness  their variance; @param noise  variance of the
///              numbers around their own mean, >= 0
/// @source Widrow, Kollar, Quantization Noise, Cambridge University Press (2008)
Moments moments_of_rounded(double mean, double unevenness, double noise);

/// Points in which the error of rounding no longer depends on the light.
struct RevealedNoise {
  std::vector<NoisePoint> points;  ///< by growing mean
  std::size_t hidden = 0;          ///< the first so many were hidden
};

/// Finds the noise that rounding hides in the darkest points: those whose variance is below a
/// quarter of a squared step more than that of rounding, judged by the median of points of similar
/// light. The noise there is a floor that grows as the line through all other points does; the
/// floor is the one whose rounded noise agrees best with the variances. These points then get the
/// variance that their noise would have if rounding added 1/12 of a squared step to it, as it does
/// in all others. With fewer than `kFewestNoiseTiles` others there is no line, and they are left
/// out.
/// @param points  of white noise; @param rounding  variance that rounding adds, DN^2; 0: none
RevealedNoise revealed_noise(std::vector<NoisePoint> points, double rounding);

}  // namespace synthoscope::fit
