// SPDX-License-Identifier: MIT
// simulator/phantom/target/flat_target.hpp — members of a target laid out in arrays for a device.
#pragma once
#include <variant>
#include <vector>
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/target/plain_target.hpp"
#include "simulator/phantom/target/target.hpp"

namespace synthoscope::simulator::device {

inline PointBody plain_body_of(const PointTarget&) {
  return {};
}
inline LineBody plain_body_of(const LineTarget&) {
  return {};
}
inline ShellBody plain_body_of(const ShellTarget&) {
  return {};
}
inline StarBody plain_body_of(const StarTarget&) {
  return {};
}

struct FlatTarget {
  PlainTarget figures;
  std::vector<PointTarget> points;
  std::vector<LineTarget> lines;
  std::vector<ShellTarget> shells;
  std::vector<StarTarget> stars;

  void lay_out(const auto& phantom, const LightSpec& light, const auto&) {
    const auto take = [&]<class Member>(std::vector<Member>& all) {
      if (const auto* its = std::get_if<std::vector<Member>>(&phantom.target)) all = *its;
      for (Member& member : all)
        if constexpr (requires { member.photons; })
          member.photons *= light.target;
        else
          member.photons_per_um3 *= light.target;
    };
    take(points);
    take(lines);
    take(shells);
    take(stars);
  }
  void for_each_array(auto& view, auto&& visit) const {
    visit(points, view.points);
    visit(lines, view.lines);
    visit(shells, view.shells);
    visit(stars, view.stars);
  }
  static std::int64_t bytes(const auto& spec, const Grid& grid) {
    return number_of(spec.target, grid) * std::int64_t{sizeof(StarTarget)};
  }
};

}  // namespace synthoscope::simulator::device
