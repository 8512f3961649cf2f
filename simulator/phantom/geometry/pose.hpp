// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/pose.hpp — where a body is and how large: what changes from frame to
// frame.
#pragma once
#include <cmath>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// The pose of a body. A point q of the body's own frame, in which it has its drawn size, lies at
///
///     centre + scale * transposed(turn) * (q_z / sqrt(stretch), q_y / sqrt(stretch), q_x stretch)
///
/// with each axis then multiplied by its factor of `reshaping`, whose product is 1: both preserve
/// volumes.
struct Pose {
  Vector3 centre{};  ///< micrometres
  Matrix3 turn{};    ///< from the grid's axes to the body's
  double scale = 1;
  double stretch = 1;  ///< along the body's own x axis; always 1 for bodies of several parts
  Vector3 reshaping{1, 1, 1};  ///< of its own axes; 1, 1, 1 for bodies of several parts
  friend bool operator==(const Pose&, const Pose&) = default;
};

/// Returns the factors by which the body's axes grow.
inline Vector3 growth_of(const Pose& pose) {
  const double across = pose.scale / std::sqrt(pose.stretch);
  const Vector3& r = pose.reshaping;
  return {r[0] * across, r[1] * across, r[2] * (pose.scale * pose.stretch)};
}

/// Returns whether a body keeps its drawn size and proportions.
inline bool is_undeformed(const Pose& pose) {
  return pose.scale == 1 && pose.stretch == 1 && pose.reshaping == Vector3{1, 1, 1};
}

/// Returns the map from places relative to the centre to the body's own frame.
inline Matrix3 to_own_frame(const Pose& pose) {
  const Vector3 growth = growth_of(pose);
  Matrix3 matrix{};
  for (std::size_t axis = 0; axis < 3; ++axis) matrix[axis] = (1 / growth[axis]) * pose.turn[axis];
  return matrix;
}

/// Returns the map from places relative to the middle of a body as it was drawn, turned by `drawn`,
/// to places relative to the pose's centre; exactly the identity if the pose is as drawn.
inline Matrix3 from_drawn(const Pose& pose, const Matrix3& drawn) {
  if (pose.turn == drawn && is_undeformed(pose)) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const Vector3 growth = growth_of(pose);
  Matrix3 grown = drawn;
  for (std::size_t axis = 0; axis < 3; ++axis) grown[axis] = growth[axis] * drawn[axis];
  return transposed(pose.turn) * grown;
}

}  // namespace synthoscope::simulator
