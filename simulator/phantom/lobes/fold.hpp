// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/fold.hpp — folds of a surface: narrow grooves that run over it; compiled
// for host and devices.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

inline constexpr int kMostFolds = 4;

/// A groove along an arc of a great circle of the unit sphere. The part of the radius that it takes
/// in direction u, |u| = 1, is
///
///     depth * (1 - s^2)^2 * e^2 (3 - 2 e),   s = across . u / half_width,
///                                            e = (middle . u - end) / (1 - end),
///
/// and 0 where |s| > 1 or e < 0.
struct Fold {
  Vector3 middle{};       ///< of the arc, where the groove is deepest; a unit vector
  Vector3 across{};       ///< a unit vector, perpendicular to `middle` and to the arc
  double depth = 0;       ///< relative to the radius, 0 ... 0.5
  double half_width = 1;  ///< sine of the angle at which it ends across, 0.01 ... 0.7
  double end = 0;         ///< cosine of the angle at which it ends along the arc, -0.5 ... 0.9

  [[nodiscard]] double operator()(const Vector3& u) const {
    const double e = (dot(middle, u) - end) / (1 - end), s = dot(across, u) / half_width;
    if (e <= 0 || s * s >= 1) return 0;
    const double w = 1 - s * s;
    return depth * (w * w) * (e * e * (3 - 2 * e));
  }

  /// Returns a bound of its slope over the sphere: of (1 - s^2)^2 it is 1.54, of e^2 (3 - 2 e) 1.5.
  [[nodiscard]] double steepness() const { return depth * (1.54 / half_width + 1.5 / (1 - end)); }
};

/// The folds of a lobe. Where two meet, the deeper one counts.
struct Folds {
  int count = 0;
  std::array<Fold, kMostFolds> all{};

  /// Returns the part of the radius that folds take in direction `u`, |u| = 1.
  [[nodiscard]] double operator()(const Vector3& u) const {
    double taken = 0;
    for (int i = 0; i < count; ++i) taken = std::max(taken, all[static_cast<std::size_t>(i)](u));
    return taken;
  }
  [[nodiscard]] double deepest() const {
    double most = 0;
    for (int i = 0; i < count; ++i) most = std::max(most, all[static_cast<std::size_t>(i)].depth);
    return most;
  }
  [[nodiscard]] double steepest() const {
    double most = 0;
    for (int i = 0; i < count; ++i)
      most = std::max(most, all[static_cast<std::size_t>(i)].steepness());
    return most;
  }
};

}  // namespace synthoscope::simulator
