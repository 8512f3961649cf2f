// SPDX-License-Identifier: MIT
// simulator/phantom/beads/bead.hpp — one evenly stained ball; compiled for host and devices.
#pragma once
#include <string_view>
#include "simulator/phantom/geometry/ball.hpp"
#include "simulator/phantom/geometry/body.hpp"

namespace synthoscope::simulator {

/// A ball that glows evenly. Plain data; units in the names.
struct Bead {
  static constexpr std::string_view kClass = "bead";
  Vector3 centre{};
  double radius_um = 0;
  double photons_per_um3 = 0;

  [[nodiscard]] Bounds bounds() const {
    return bounds_around(centre, {radius_um, radius_um, radius_um});
  }
  [[nodiscard]] bool contains(const Vector3& point) const {
    const Vector3 from = point - centre;
    return dot(from, from) <= radius_um * radius_um;
  }
  [[nodiscard]] double share(const Vector3& voxel, const Vector3& pitch) const {
    return ball_share(centre, radius_um, voxel, pitch);
  }
  [[nodiscard]] Vector3 centroid() const { return centre; }
  [[nodiscard]] double volume_um3() const;
};

}  // namespace synthoscope::simulator
