// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/body.hpp — what the renderer requires of every kind of object.
#pragma once
#include <algorithm>
#include <concepts>
#include <string_view>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// An axis-parallel box that contains an object, micrometres.
struct Bounds {
  Vector3 low, high;
};

/// An object that can be rendered. Its type is resolved once per object and box, never per voxel.
/// Computed in double with + - * / sqrt only, equal on every machine.
template <class T>
concept Body = requires(const T& body, const Vector3& point) {
  { T::kClass } -> std::convertible_to<std::string_view>;  ///< in objects.csv
  { body.bounds() } -> std::same_as<Bounds>;               ///< relative to the grid's corner
  { body.contains(point) } -> std::same_as<bool>;
  { body.centroid() } -> std::same_as<Vector3>;
  { body.volume_um3() } -> std::same_as<double>;  ///< of all of it, also beyond the grid
};

/// Returns the box that extends by `reach` to both sides of `centre`.
constexpr Bounds bounds_around(const Vector3& centre, const Vector3& reach) {
  return {centre - reach, centre + reach};
}

/// Returns the smallest box that contains both.
constexpr Bounds hull(const Bounds& a, const Bounds& b) {
  Bounds all = a;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    all.low[axis] = std::min(a.low[axis], b.low[axis]);
    all.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return all;
}

/// Returns whether two boxes share a point; a point of their faces is enough.
constexpr bool touch(const Bounds& a, const Bounds& b) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (a.low[axis] > b.high[axis] || b.low[axis] > a.high[axis]) return false;
  return true;
}

/// Returns the length that two intervals share, >= 0.
constexpr double overlap(double low, double high, double other_low, double other_high) {
  return std::max(0.0, std::min(high, other_high) - std::max(low, other_low));
}

/// Returns the middle of part `i` of an edge that is divided into `parts` equal parts; the edge
/// reaches from -1/2 to 1/2.
constexpr double middle_of_part(int i, int parts) {
  return (2 * i + 1 - parts) / (2.0 * parts);
}

/// Returns the share of 4 x 4 x 4 points, at the centres of equal parts of a voxel, for which
/// `holds` is true.
template <class Holds>
double sampled_share(const Vector3& centre, const Vector3& pitch, Holds&& holds) {
  constexpr int kParts = 4;
  const auto part = [](int i) { return middle_of_part(i, kParts); };
  int held = 0;
  for (int i = 0; i < kParts; ++i)
    for (int j = 0; j < kParts; ++j)
      for (int k = 0; k < kParts; ++k)
        held += holds(centre + Vector3{part(i) * pitch[0], part(j) * pitch[1], part(k) * pitch[2]});
  return held / double{kParts * kParts * kParts};
}

}  // namespace synthoscope::simulator
