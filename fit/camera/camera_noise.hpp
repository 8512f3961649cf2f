// SPDX-License-Identifier: MIT
// fit/camera/camera_noise.hpp — what the noise of all images together says of the camera.
#pragma once
#include <vector>
#include "fit/camera/grey_levels.hpp"
#include "fit/camera/noise_band.hpp"
#include "fit/camera/noise_line.hpp"

namespace synthoscope::fit {

/// With fewer points nothing is fitted.
inline constexpr std::size_t kFewestNoiseTiles = 30;

/// What differs from pixel to pixel and not from plane to plane. Without differences of planes, the
/// spread of gains alone, from the bend of the line.
struct FixedPattern {
  double offsets = 0, offsets_error = 0;  ///< variance, DN^2, and its standard error
  double gains = 0, gains_error = 0;      ///< square of the relative spread
  bool is_told = true;                    ///< where planes have light at all frequencies, it is not
};

/// What was measured in all images together.
struct CameraNoise {
  NoiseBand band;
  NoiseLine line;  ///< of blocks or of differences of planes if there are some, else of planes
  /// Of differences or of blocks: the fixed pattern is not in the line.
  bool is_of_differences = false;
  double pure_scatter = 0;    ///< of points of nothing but noise, relative to the line
  double straight_slope = 0;  ///< of a line without a spread of gains, of planes alone
  /// Gains that differ, or structure, may be all that makes the noise grow. The line has no spread
  /// of gains then, and is an upper bound of the noise of the light.
  bool is_growth_shared = false;
  FixedPattern pattern;
  double dark_mean = 0, dark_mean_error = 0;  ///< of the darkest tile: no offset lies above it, DN
  double rounding = 0;                        ///< variance, DN^2
  double mean_variance = 0;                   ///< median over the tiles, DN^2
  double range = 0;                           ///< of the means of tiles, DN
  int tiles = 0;                              ///< or blocks
  GreyLevels levels;                          ///< of the image with the highest value
  bool is_eight_bit = false;                  ///< the type of the file
};

/// Points of all images.
struct NoisePoints {
  std::vector<NoisePoint> planes, differences;
  std::vector<NoisePoint> blocks;  ///< if planes have no band without light
  double scatter_of_blocks = 0;    ///< of pure noise
};

/// Returns the points of tiles in a band; `unevenness` is the variance in a tile beyond the noise.
std::vector<NoisePoint> noise_points(const std::vector<NoiseTile>& tiles, const NoiseBand& band);

/// Measures the line, what differs from pixel to pixel, the darkest tile and the range of the
/// light. Blocks are used if there are some, else differences of planes: the fixed pattern of the
/// sensor is in neither. `levels` and `is_eight_bit` are left to the caller.
/// @param points  of planes at least three; @param rounding  its variance, DN^2
CameraNoise camera_noise(const NoisePoints& points, const NoiseBand& band, double rounding,
                         const SpreadPrior& prior);

}  // namespace synthoscope::fit
