// SPDX-License-Identifier: MIT
// simulator/phantom/kind/obstacles.hpp — objects of one kind that others keep away from.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

struct Obstacles {
  std::string_view what;    ///< in messages; kinds of the same words are counted together
  std::string_view remedy;  ///< what makes space, as a noun; may be empty
  std::int64_t count = 0;
  /// Whether all are at least `gap_um` away from a ball.
  std::function<bool(const Vector3& middle, double radius_um, double gap_um)> are_clear_of;
};

}  // namespace synthoscope::simulator
