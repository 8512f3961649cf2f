// SPDX-License-Identifier: MIT
// simulator/timelapse/wandering.hpp — how far, where to and by what angle a body moves between two
// frames.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/phantom/geometry/vector3.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/scene/time_spec.hpp"

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
  /// @param deviation  sqrt(2 D dt), radians; at least kMinDeviation
  explicit TurningAngle(double deviation);

  /// For smaller deviations the turns about the three axes are normal and independent, within 1e-4
  /// of the variance.
  static constexpr double kMinDeviation = 0.02;

  /// Returns the angle in radians. @param uniform  0 ... 1. @accuracy 1e-4 of the deviation
  [[nodiscard]] double at(double uniform) const;

 private:
  double step_;                   ///< between two angles of the table
  std::vector<double> below_{0};  ///< probability of a smaller angle, for each angle
};

/// Brownian motion, and motion at a velocity that is forgotten:
///
///     dx = v dt + sqrt(2 D) dW,    dv = -v dt / P + sqrt(2 / P) s dW'
///
/// per axis, with s = speed / sqrt(axes). The motion in an interval is drawn from its exact
/// distribution, so that the mean square displacement is
///
///     <x^2>(t) = 2 axes D t + 2 speed^2 P (t - P (1 - exp(-t / P)))
///
/// for any interval. Axes are y and x for bodies that stay in a plane, which turn only about z.
/// @source Uhlenbeck, Ornstein, Phys. Rev. 36 (1930) 823, doi:10.1103/PhysRev.36.823; Gillespie,
///         Phys. Rev. E 54 (1996) 2084, doi:10.1103/PhysRevE.54.2084 (its exact update).
///
/// The random draws are fixed and must not change: stage `motion`, for cells `cell_motion`, index =
/// number of the body, frame = the frame that it moves to. Words 0, 1, 2 of a draw give normal
/// deviates for z, y, x: draw 0 changes the velocity, draw 1 moves the body independently of this
/// change, draw 2 is Brownian, draw 3 turns, draw 4 is the first velocity. In a plane they turn
/// about z by word 0 of draw 3. Other bodies turn by its three deviates about the three axes or,
/// from a deviation of TurningAngle::kMinDeviation on, by the angle of word 3 about the axis to
/// which these deviates point.
class Wandering {
 public:
  Wandering(const TimeSpec& time, bool in_plane, const RandomStream& stream);

  /// Returns the velocity, micrometres per second, of a body whose first frame is `frame`.
  [[nodiscard]] Vector3 first_velocity(std::int64_t number, std::int64_t frame) const;

  /// Returns the displacement to `frame` from the frame before; updates `velocity` to `frame`.
  [[nodiscard]] Vector3 step(std::int64_t number, std::int64_t frame, Vector3& velocity) const;

  /// Returns a rotation in the axes of the grid.
  [[nodiscard]] Matrix3 turn(std::int64_t number, std::int64_t frame) const;

  [[nodiscard]] bool turns() const { return turning_ > 0; }

  /// Returns the root mean square displacement along one axis in an interval, micrometres.
  [[nodiscard]] double step_um() const { return step_um_; }

 private:
  [[nodiscard]] PhiloxBlock words(std::int64_t number, std::int64_t frame, int draw) const;
  [[nodiscard]] Vector3 normals(std::int64_t number, std::int64_t frame, int draw) const;

  RandomStream stream_;
  bool in_plane_;
  double speed_;                          ///< root mean square along one axis
  double kept_ = 0;                       ///< share of the velocity after an interval
  double new_velocity_ = 0;               ///< standard deviation of its change
  double carried_ = 0;                    ///< seconds that a velocity carries in an interval
  double with_new_ = 0, beside_new_ = 0;  ///< displacement: tied to this change, and free of it
  double brownian_ = 0, turning_ = 0;     ///< standard deviations along and about an axis
  double step_um_ = 0;
  std::optional<TurningAngle> angle_;  ///< if bodies turn in any direction, and not little
};

}  // namespace synthoscope::simulator
