// SPDX-License-Identifier: MIT
#include "simulator/phantom/target/target_members.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/phantom/geometry/ball.hpp"

namespace synthoscope::simulator {

bool LineTarget::contains(const Vector3& point) const {
  const Vector3 from = point - centre;
  return std::abs(from[1]) <= half_length_um &&
         from[0] * from[0] + from[2] * from[2] <= radius_um * radius_um;
}

double LineTarget::share(const Vector3& voxel, const Vector3& pitch) const {
  const double along = overlap(centre[1] - half_length_um, centre[1] + half_length_um,
                               voxel[1] - pitch[1] / 2, voxel[1] + pitch[1] / 2);
  return along == 0 ? 0 : along / pitch[1] * disc_share(centre, radius_um, voxel, pitch);
}

bool ShellTarget::contains(const Vector3& point) const {
  const Vector3 from = point - centre;
  const double square = dot(from, from);
  return square <= radius_um * radius_um && square >= inner_um * inner_um;
}

double ShellTarget::share(const Vector3& voxel, const Vector3& pitch) const {
  const double outer = ball_share(centre, radius_um, voxel, pitch);
  return outer == 0 || inner_um <= 0
             ? outer
             : std::max(0.0, outer - ball_share(centre, inner_um, voxel, pitch));
}

bool StarTarget::holds(double y_um, double x_um) const {
  const double square = y_um * y_um + x_um * x_um;
  if (square > radius_um * radius_um) return false;
  if (square == 0) return true;
  // The real part of ((x + iy) / r)^spokes is cos(spokes * phi); powers by squaring
  const double r = std::sqrt(square);
  double base_x = x_um / r, base_y = y_um / r, power_x = 1, power_y = 0;
  for (std::int64_t rest = spokes; rest > 0; rest /= 2) {
    if (rest % 2 == 1) {
      const double x = power_x * base_x - power_y * base_y;
      power_y = power_x * base_y + power_y * base_x;
      power_x = x;
    }
    const double x = base_x * base_x - base_y * base_y;
    base_y = 2 * base_x * base_y;
    base_x = x;
  }
  return power_x >= 0;
}

bool StarTarget::contains(const Vector3& point) const {
  const Vector3 from = point - centre;
  return std::abs(from[0]) <= half_height_um && holds(from[1], from[2]);
}

double StarTarget::share(const Vector3& voxel, const Vector3& pitch) const {
  const double along = overlap(centre[0] - half_height_um, centre[0] + half_height_um,
                               voxel[0] - pitch[0] / 2, voxel[0] + pitch[0] / 2);
  if (along == 0) return 0;
  constexpr int kParts = 8;
  const auto part = [](int i) { return middle_of_part(i, kParts); };
  int held = 0;
  for (int i = 0; i < kParts; ++i)
    for (int j = 0; j < kParts; ++j)
      held += holds(voxel[1] - centre[1] + part(i) * pitch[1],
                    voxel[2] - centre[2] + part(j) * pitch[2]);
  return along / pitch[0] * (held / double{kParts * kParts});
}

}  // namespace synthoscope::simulator
