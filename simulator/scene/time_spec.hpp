// SPDX-License-Identifier: MIT
// simulator/scene/time_spec.hpp — how a scene changes from frame to frame, in plain numbers.
#pragma once
#include <cstdint>
#include <optional>
#include "core/base/units.hpp"

namespace synthoscope::simulator {

/// How a scene changes. Without an interval the frames are independent of each other, and all other
/// values have their defaults.
struct TimeSpec {
  std::optional<double> interval_seconds = {};  ///< between two frames, > 0

  /// Nuclei and cells wander within y and x, and turn about z. Absent: if they lie flat, or if the
  /// grid has one plane.
  std::optional<bool> in_plane = {};

  /// Nuclei and cells wander: within their plane (in_plane), or along all axes. They never
  /// overlap by more than their gap_um allows; bodies in each other's way are pushed apart.
  double diffusion_um2_per_second = 0;  ///< of Brownian motion, >= 0
  double speed_um_per_second = 0;       ///< root mean square of motion that persists, >= 0
  double persistence_seconds = 600;     ///< time in which its direction is forgotten, > 0
  double turning_rad2_per_second = 0;   ///< rotational diffusion about each axis, >= 0

  /// Nuclei and cells grow to twice their volume and divide.
  bool division = false;
  /// Dividing nuclei of one lobe condense, form a plate and part as two: mitosis.hpp.
  bool mitosis = true;
  double cycle_hours = 24;     ///< mean from birth to division, > 0
  double cycle_spread = 0.17;  ///< standard deviation over the mean, 0 ... 0.25

  /// All light fades as exp(-t / bleaching_seconds), with t = 0 at the first frame. > 0
  std::optional<double> bleaching_seconds = {};
  /// Drift of the sample against the camera: light, labels and all positions move.
  Point3 drift_um_per_second{0, 0, 0};
  /// Drift of the sample against the focus, towards larger z: light moves, labels stay.
  double focus_drift_um_per_second = 0;

  [[nodiscard]] bool is_movie() const { return interval_seconds.has_value(); }
  /// Returns the time of a frame of a movie.
  [[nodiscard]] double seconds(std::int64_t frame) const {
    return *interval_seconds * static_cast<double>(frame);
  }
  friend bool operator==(const TimeSpec&, const TimeSpec&) = default;
};

/// Checks the values.
/// @throws InvalidSpec  the interval is too long for divisions, or a value is given without an
///                      interval.
void require_valid(const TimeSpec& spec);

/// Returns the share of its light that is left in a frame.
double brightness_of(const TimeSpec& spec, std::int64_t frame);

}  // namespace synthoscope::simulator
