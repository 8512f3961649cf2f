// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/ball.hpp — the part of a voxel that a ball or a disc covers.
#pragma once
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// Returns the part of a voxel that lies in the ball of `radius` around `middle`, in [0, 1].
///
/// Chords along x are exact; they are summed over an even grid of z and y that is cut to the ball,
/// with 64 steps per diameter and at least 4 per voxel. The sum over all voxels is the volume
/// within 1e-3, however small the ball is relative to a voxel.
double ball_share(const Vector3& middle, double radius, const Vector3& voxel, const Vector3& pitch);

/// Returns the part of a rectangle of the z-x plane that lies in a disc: as ball_share, with steps
/// along z only. Element 1 of every vector is unused.
double disc_share(const Vector3& middle, double radius, const Vector3& voxel, const Vector3& pitch);

/// Returns the volume of a ball.
constexpr double ball_um3(double radius_um) {
  return 4 * kPi / 3 * radius_um * radius_um * radius_um;
}

}  // namespace synthoscope::simulator
