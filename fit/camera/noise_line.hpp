// SPDX-License-Identifier: MIT
// fit/camera/noise_line.hpp — the variance of noise over the light: a line, and what bends it.
#pragma once
#include <optional>
#include <span>
#include <vector>

namespace synthoscope::fit {

/// The mean and the noise variance of a tile, DN and DN^2, and the variance of the light within it:
/// gains that differ make noise with the mean of its square, which that variance is part of.
struct NoisePoint {
  double mean = 0, variance = 0, unevenness = 0;
};

/// What is known of the spread of gains from pixel to pixel: its square, relative to the gain.
struct SpreadPrior {
  double square = 0, deviation = 0;  ///< of that square; with deviation 0 it is known
};

/// variance = slope (mean - zero) + spread ((mean - zero)^2 + unevenness)
struct NoiseLine {
  double slope = 0;   ///< DN, gain times excess noise; may be <= 0
  double zero = 0;    ///< DN, where the variance would vanish
  double spread = 0;  ///< square of the relative spread of gains
  double slope_error = 0, zero_error = 0, spread_error = 0;  ///< standard errors
  double scatter = 0;                                        ///< of points, relative to the line
  std::vector<bool> kept;

  [[nodiscard]] double at(double mean) const;
  /// Returns whether the noise grows with the light by more than three standard errors.
  [[nodiscard]] bool rises() const { return slope > 3 * slope_error; }
  /// Returns the standard error of the floor: slope (level - zero), the variance at a mean.
  [[nodiscard]] double floor_error(double level) const;
  double cross = 0;  ///< covariance of slope and zero
};

/// Fits the line by iteratively reweighted least squares: the standard error of a variance is
/// proportional to the variance, as estimates from equally many frequencies have it. Points whose
/// cube root is more than three deviations off are left out: the cube root of an average of squares
/// is nearly normal, so that both sides are cut alike and the line stays unbiased. Errors are those
/// of a bootstrap over the points, and of the prior.
/// @source Wilson, Hilferty, PNAS 17 (1931) 684, doi:10.1073/pnas.17.12.684 (cube root).
/// @param points  at least three of different means
/// @param repeats  how much larger the variance of a sum over the points is than that of
/// independent
///        ones, since tiles overlap
NoiseLine noise_line(const std::vector<NoisePoint>& points, const SpreadPrior& prior,
                     double repeats = 1);

/// Returns the same without errors, of some of the points.
NoiseLine noise_line_of(const std::vector<NoisePoint>& points, std::span<const std::size_t> sample,
                        const SpreadPrior& prior);

}  // namespace synthoscope::fit
