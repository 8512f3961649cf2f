// SPDX-License-Identifier: MIT
// simulator/timelapse/turning_angle.hpp — the angle of a random rotation in three dimensions.
#pragma once
#include <vector>

namespace synthoscope::simulator {

/// Quantiles of the angle, 0 to pi, between a body's orientations before and after rotational
/// diffusion in three dimensions; the axis is uniform. With t = D dt its distribution is
///
///     F(w) = sum over l >= 0 of (2 l + 1) exp(-l (l + 1) t) (g_l(w) - g_(l + 1)(w)) / pi,
///
/// g_0(w) = w, g_l(w) = sin(l w) / l: the heat kernel of the group of rotations, which composes, so
/// that one long interval turns like several short ones. For large t the angles are distributed as
/// in uniform rotations.
/// @source Perrin, Annales scientifiques de l'ENS 45 (1928) 1, doi:10.24033/asens.772.
class TurningAngle {
 public:
  /// Tabulates the distribution.
  /// @param deviation  sqrt(2 D dt), radians; at least kLeastDeviation
  explicit TurningAngle(double deviation);

  /// For smaller deviations the turns about the three axes are normal and independent, within 1e-4
  /// of the variance.
  static constexpr double kLeastDeviation = 0.02;

  /// Returns the angle in radians. @param uniform  0 ... 1. @accuracy 1e-4 of the deviation
  [[nodiscard]] double at(double uniform) const;

 private:
  double step_;                   ///< between two angles of the table
  std::vector<double> below_{0};  ///< probability of a smaller angle, for each angle
};

}  // namespace synthoscope::simulator
