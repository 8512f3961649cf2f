// SPDX-License-Identifier: MIT
// simulator/phantom/kind/object_light.hpp — what multiplies the light of one object; compiled for
// host and devices.
#pragma once
#include <algorithm>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// A factor of all light of an object, and how unevenly its body is stained. Plain data.
struct ObjectLight {
  double factor = 1;
  double uneven = 0;  ///< the stain is larger by this part at one end, and smaller at the other
  Vector3 middle{};   ///< where the stain has its mean, micrometres from the grid's corner
  Vector3 slope{};    ///< towards the larger stain; 1 / |slope| is the way to the end, micrometres

  /// Returns the factor of a voxel of the body.
  [[nodiscard]] double at(const Vector3& centre) const {
    if (uneven == 0) return factor;
    const double end = dot(slope, centre - middle);
    return factor * (1 + uneven * std::min(std::max(end, -1.0), 1.0));
  }
};

}  // namespace synthoscope::simulator
