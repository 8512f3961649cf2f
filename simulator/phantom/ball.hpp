// SPDX-License-Identifier: MIT
// simulator/phantom/ball.hpp — the part of a voxel that a ball or a disc covers.
#pragma once
#include "simulator/phantom/vector3.hpp"

namespace synthoscope::simulator {

/// Part of a voxel that lies in the ball of `radius` around `middle`, in [0, 1].
///
/// Chords along x are exact; they are added over an even grid of z and y that is cut to the ball,
/// 64 to the diameter and at least 4 to the voxel. Added over all voxels the volume is right within
/// 1e-3, however small the ball is against a voxel.
double ball_share(const Vector3& middle, double radius, const Vector3& voxel, const Vector3& pitch);

/// Part of a rectangle of the z-x plane that lies in a disc; element 1 of every vector is unused.
/// Like ball_share, along z alone.
double disc_share(const Vector3& middle, double radius, const Vector3& voxel, const Vector3& pitch);

/// Volume of a ball.
constexpr double ball_um3(double radius_um) {
  return 4 * kPi / 3 * radius_um * radius_um * radius_um;
}

}  // namespace synthoscope::simulator
