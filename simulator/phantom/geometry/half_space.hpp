// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/half_space.hpp — convex bodies between planes, and the part of a voxel
// in them; compiled for host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include "simulator/phantom/geometry/body.hpp"
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

/// All points p with normal . p <= offset. Plain data; micrometres from the grid's corner.
struct HalfSpace {
  Vector3 normal{};  ///< of length 1, outwards
  double offset = 0;

  /// Returns how far inside a point lies; below 0 outside.
  [[nodiscard]] double depth(const Vector3& point) const { return offset - dot(normal, point); }
};

/// Points at least `inset` um inside all of some half-spaces, which are owned elsewhere.
struct ConvexShape {
  const HalfSpace* sides = nullptr;
  int count = 0;
  double inset = 0;

  [[nodiscard]] bool contains(const Vector3& point) const {
    for (int i = 0; i < count; ++i)
      if (!(sides[i].depth(point) >= inset)) return false;
    return true;
  }

  /// Returns the part of a voxel that lies inside, in [0, 1]: exact if one side cuts the voxel; if
  /// several do, 8 x 8 lines along z are cut exactly.
  [[nodiscard]] double share(const Vector3& centre, const Vector3& pitch) const {
    int cutting = 0, cut = 0;
    for (int i = 0; i < count; ++i) {
      const Vector3& n = sides[i].normal;
      const double half =
          (std::abs(n[0]) * pitch[0] + std::abs(n[1]) * pitch[1] + std::abs(n[2]) * pitch[2]) / 2;
      const double depth = sides[i].depth(centre) - inset;
      if (depth <= -half) return 0;
      if (depth >= half) continue;
      ++cutting;
      cut = i;
    }
    if (cutting == 0) return 1;
    if (cutting == 1)
      return plane_share(sides[cut].depth(centre) - inset, sides[cut].normal, pitch);
    return share_of_lines(centre, pitch);
  }

 private:
  [[nodiscard]] double share_of_lines(const Vector3& centre, const Vector3& pitch) const {
    constexpr int kLines = 8;
    double length = 0;
    for (int i = 0; i < kLines; ++i)
      for (int j = 0; j < kLines; ++j)
        length += length_along_z(centre + Vector3{0, middle_of_part(i, kLines) * pitch[1],
                                                  middle_of_part(j, kLines) * pitch[2]},
                                 pitch[0]);
    return length / (kLines * kLines * pitch[0]);
  }
  /// Returns the length inside of a line of `edge` um around `middle`.
  [[nodiscard]] double length_along_z(const Vector3& middle, double edge) const {
    double low = -edge / 2, high = edge / 2;
    for (int i = 0; i < count; ++i) {
      const double depth = sides[i].depth(middle) - inset, slope = sides[i].normal[0];
      if (slope > 0)
        high = std::min(high, depth / slope);
      else if (slope < 0)
        low = std::max(low, depth / slope);
      else if (depth < 0)
        return 0;
    }
    return std::max(0.0, high - low);
  }
};

}  // namespace synthoscope::simulator
