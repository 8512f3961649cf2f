// SPDX-License-Identifier: MIT
// simulator/phantom/pose.hpp — where a body is and how large: what changes from frame to frame.
#pragma once
#include <cmath>
#include "simulator/phantom/vector3.hpp"

namespace synthoscope::simulator {

/// A point q of the body's own frame, which is as large as the body was drawn, lies at
///
///     centre + scale * transposed(turn) * (q_z / sqrt(stretch), q_y / sqrt(stretch), q_x stretch)
///
/// so that stretching keeps volumes.
struct Pose {
  Vector3 centre{};  ///< micrometres
  Matrix3 turn{};    ///< from the axes of the grid to those of the body
  double scale = 1;
  double stretch = 1;  ///< along the body's own x axis; of bodies of several parts always 1
  friend bool operator==(const Pose&, const Pose&) = default;
};

/// What the axes of the body are multiplied by.
inline Vector3 growth_of(const Pose& pose) {
  const double across = pose.scale / std::sqrt(pose.stretch);
  return {across, across, pose.scale * pose.stretch};
}

}  // namespace synthoscope::simulator
