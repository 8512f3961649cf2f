// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/plane_share.hpp — the part of a voxel on one side of a plane; compiled
// for host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// Returns the part of a box where n . (p - centre) <= depth, exact.
///
/// n . (p - centre) is a sum of three uniform numbers of the widths |n_i| edge_i. Widths below a
/// thousandth of the widest are rounded up to that: the formula divides by all three.
/// @param normal  of length 1. @param edges  of the box.
/// @source Scardovelli, Zaleski, J. Comput. Phys. 164 (2000) 228, doi:10.1006/jcph.2000.6567.
inline double plane_share(double depth, const Vector3& normal, const Vector3& edges) {
  constexpr double kNarrowest = 1e-3;
  Vector3 width{};
  for (std::size_t axis = 0; axis < 3; ++axis) width[axis] = std::abs(normal[axis]) * edges[axis];
  const double widest = std::max(width[0], std::max(width[1], width[2]));
  for (double& w : width) w = std::max(w, kNarrowest * widest);
  const double all = width[0] + width[1] + width[2];
  const double low = all / 2 - std::abs(depth);  // the smaller of the two sides
  if (low <= 0) return depth > 0 ? 1.0 : 0.0;
  const auto cubed = [](double v) { return v > 0 ? v * v * v : 0.0; };
  double sum = cubed(low);
  for (const double w : width) sum -= cubed(low - w);
  for (const double w : width) sum += cubed(low - (all - w));
  const double share = sum / (6 * width[0] * width[1] * width[2]);
  return depth > 0 ? 1 - share : share;
}

}  // namespace synthoscope::simulator
