// SPDX-License-Identifier: MIT
// simulator/measurement/lens_pattern.hpp — the light of a lens near its focus, from tables.
#pragma once
#include <array>
#include <vector>

namespace synthoscope::simulator {

/// The diffraction pattern of a lens without aberrations,
///
///     light(u, v) = |integral from 0 to 1 of J0(v sqrt(t)) exp(i u f(t)) dt|^2,
///
/// where t is the squared radius in the pupil, and f is the phase of defocus of rays at finite
/// angles. f is scaled to the variance of t / 2 over the pupil. The steepest ray has
/// (NA / n)^2 = kSteepness. Scaled to the widths of a measured PSF, the pattern depends little on
/// this number.
/// @source Born and Wolf, Principles of Optics, section 8.8 (Lommel 1885, at small angles).
class LensPattern {
 public:
  static constexpr double kSteepness = 0.6;

  LensPattern();

  /// Returns the light, 1 in focus; 0 beyond the third dark ring or as many nodes along the axis.
  /// @param square_u  square of the distance along the axis, in optical units
  /// @param square_v  square of the distance from the axis, in optical units
  /// @accuracy 1e-5
  [[nodiscard]] double light(double square_u, double square_v) const;

 private:
  static constexpr std::size_t kNodes = 12;
  using Row = std::array<double, kNodes>;

  std::vector<Row> bessel_;         ///< weight J0(v sqrt(t)) of each node, over v^2
  std::vector<Row> cosine_, sine_;  ///< of u f(t) at each node, over u
};

}  // namespace synthoscope::simulator
