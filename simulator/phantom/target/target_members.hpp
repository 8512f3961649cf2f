// SPDX-License-Identifier: MIT
// simulator/phantom/target/target_members.hpp — the members of test targets; compiled for host and
// devices.
#pragma once
#include <cstdint>
#include <string_view>
#include "simulator/phantom/geometry/body.hpp"

namespace synthoscope::simulator {

/// One voxel that gives off light: a point at its centre, so that its place is exact.
struct PointTarget {
  static constexpr std::string_view kClass = "point";
  Vector3 at{};
  double photons = 0;
  [[nodiscard]] Bounds bounds() const { return {at, at}; }
  [[nodiscard]] bool contains(const Vector3& point) const { return point == at; }
  [[nodiscard]] Vector3 centroid() const { return at; }
  [[nodiscard]] double volume_um3() const { return 0; }
};

/// A round rod along y with flat ends.
struct LineTarget {
  static constexpr std::string_view kClass = "line";
  Vector3 centre{};
  double radius_um = 0, half_length_um = 0;
  double photons_per_um3 = 0;
  [[nodiscard]] Bounds bounds() const {
    return bounds_around(centre, {radius_um, half_length_um, radius_um});
  }
  [[nodiscard]] bool contains(const Vector3& point) const;
  [[nodiscard]] double share(const Vector3& voxel, const Vector3& pitch) const;
  [[nodiscard]] Vector3 centroid() const { return centre; }
  [[nodiscard]] double volume_um3() const;
};

/// The space between two balls around one point.
struct ShellTarget {
  static constexpr std::string_view kClass = "shell";
  Vector3 centre{};
  double radius_um = 0, inner_um = 0;
  double photons_per_um3 = 0;
  [[nodiscard]] Bounds bounds() const {
    return bounds_around(centre, {radius_um, radius_um, radius_um});
  }
  [[nodiscard]] bool contains(const Vector3& point) const;
  [[nodiscard]] double share(const Vector3& voxel, const Vector3& pitch) const;
  [[nodiscard]] Vector3 centroid() const { return centre; }
  [[nodiscard]] double volume_um3() const;
};

/// A flat disc across z that consists of every other one of 2 * spokes equal wedges: where
/// cos(spokes * phi) >= 0, with phi from x towards y. The period at radius r is 2 pi r / spokes.
struct StarTarget {
  static constexpr std::string_view kClass = "star";
  Vector3 centre{};
  double radius_um = 0, half_height_um = 0;
  std::int64_t spokes = 0;
  double photons_per_um3 = 0;
  [[nodiscard]] Bounds bounds() const {
    return bounds_around(centre, {half_height_um, radius_um, radius_um});
  }
  [[nodiscard]] bool contains(const Vector3& point) const;
  /// Returns the part of a voxel that lies inside: exact along z; along y and x the share of 8 x 8
  /// points.
  [[nodiscard]] double share(const Vector3& voxel, const Vector3& pitch) const;
  [[nodiscard]] Vector3 centroid() const { return centre; }
  [[nodiscard]] double volume_um3() const;

 private:
  [[nodiscard]] bool holds(double y_um, double x_um) const;
};

}  // namespace synthoscope::simulator
