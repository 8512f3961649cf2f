// SPDX-License-Identifier: MIT
// simulator/phantom/target/plain_target.hpp — members of a target in arrays; compiled for host and
// devices.
#pragma once
#include "simulator/phantom/kind/plain_bodies.hpp"
#include "simulator/phantom/target/target_members.hpp"

namespace synthoscope::simulator::device {

/// Members of one sort; the others are null. The arrays are owned elsewhere.
struct PlainTarget {
  const PointTarget* points = nullptr;
  const LineTarget* lines = nullptr;
  const ShellTarget* shells = nullptr;
  const StarTarget* stars = nullptr;
};

struct PointBody {
  static double light(const auto& p, std::int32_t number, const Vector3& centre) {
    const PointTarget& point = p.target.points[number];
    return point.contains(centre) ? point.photons : 0.0;
  }
  static bool contains(const auto& p, std::int32_t number, const Vector3& point) {
    return p.target.points[number].contains(point);
  }
};
struct LineBody : EvenBody<LineBody> {
  static const LineTarget* array(const auto& p) { return p.target.lines; }
};
struct ShellBody : EvenBody<ShellBody> {
  static const ShellTarget* array(const auto& p) { return p.target.shells; }
};
struct StarBody : EvenBody<StarBody> {
  static const StarTarget* array(const auto& p) { return p.target.stars; }
};

}  // namespace synthoscope::simulator::device
