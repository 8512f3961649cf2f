// SPDX-License-Identifier: MIT
// simulator/calibration/pixel_statistics.hpp — means, spreads and smooth parts of maps.
#pragma once
#include <cstdint>
#include <vector>

namespace synthoscope::simulator {

double mean_of(const std::vector<float>& map);

/// Statistics of pixels without outliers: dead, hot and noisy ones.
struct Bulk {
  double mean = 0, spread = 0;  ///< over the pixels kept; a standard deviation
  std::int64_t outlying = 0;    ///< number of pixels left out
};

/// Returns the statistics of pixels within five standard deviations of the median; this deviation
/// is 1.4826 times the median of all absolute deviations, or the deviation of noise of variance
/// `noise` if larger. The spread is reduced by what such noise alone would give; not below 0. Holds
/// a copy of the map.
/// @source Hampel, The influence curve and its role in robust estimation, J. Am. Stat. Assoc. 69
///         (1974) 383, doi:10.1080/01621459.1974.10482962.
Bulk bulk_of(const std::vector<float>& map, double noise);

/// Divides out the surface of second degree in y and x that fits `map`, [y, x], best: the light of
/// a lamp varies slowly over the field. A field below 8 x 8 pixels is divided by its mean.
void divide_by_surface(std::vector<float>& map, std::int64_t height, std::int64_t width);

/// Returns the statistics of the noise of pixels, from the variance that each shows between `pairs`
/// pairs of frames; `known` is the part of each variance that is not its noise. Uses moments: the
/// estimates of a pixel's variance scatter by 2 / pairs of its square. Assumes noise that is
/// normally distributed over pixels. A pixel is outlying if the cube root of its variance, which
/// scatters nearly normally, lies seven standard deviations above the median.
/// @source Wilson, Hilferty, Proc. Natl. Acad. Sci. 17 (1931) 684, doi:10.1073/pnas.17.12.684 (the
///         cube root).
Bulk noise_over_pixels(const std::vector<float>& variances, std::int64_t pairs,
                       const std::vector<float>& known);

}  // namespace synthoscope::simulator
