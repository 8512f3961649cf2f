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

/// From places relative to the centre to the body's own frame.
inline Matrix3 to_own_frame(const Pose& pose) {
  const Vector3 growth = growth_of(pose);
  Matrix3 matrix{};
  for (std::size_t axis = 0; axis < 3; ++axis) matrix[axis] = (1 / growth[axis]) * pose.turn[axis];
  return matrix;
}

/// From places relative to the middle of a body as it was drawn, turned by `drawn`, to those in the
/// pose; exactly nothing where that is how it was drawn.
inline Matrix3 from_drawn(const Pose& pose, const Matrix3& drawn) {
  if (pose.turn == drawn && pose.scale == 1 && pose.stretch == 1)
    return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const Vector3 growth = growth_of(pose);
  Matrix3 grown = drawn;
  for (std::size_t axis = 0; axis < 3; ++axis) grown[axis] = growth[axis] * drawn[axis];
  return transposed(pose.turn) * grown;
}

}  // namespace synthoscope::simulator
