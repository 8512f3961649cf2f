// SPDX-License-Identifier: MIT
// simulator/calibration/pixel_statistics.hpp — means, spreads and smooth parts of maps.
#pragma once
#include <cstdint>
#include <vector>

namespace synthoscope::simulator {

double mean_of(const std::vector<float>& map);

/// The standard deviation over pixels, less what noise of variance `noise` alone would give; not
/// below 0.
double spread_of(const std::vector<float>& map, double noise);

/// Divides out the surface of second degree in y and x that fits `map`, [y, x], best: the light of
/// a lamp varies slowly over the field. A field below 8 x 8 pixels is divided by its mean.
void divide_by_surface(std::vector<float>& map, std::int64_t height, std::int64_t width);

struct MeanAndSpread {
  double mean = 0, spread = 0;  ///< over pixels
};

/// Of the noise of pixels, from the variance that each was seen to have between `pairs` pairs of
/// frames; `known` is the variance of each that is no noise of its own. By the moments: the
/// estimates of a pixel's variance scatter by 2 / pairs of its square. For normal distributions of
/// the noise over pixels.
MeanAndSpread noise_over_pixels(const std::vector<float>& variances, std::int64_t pairs,
                                const std::vector<float>& known);

}  // namespace synthoscope::simulator
