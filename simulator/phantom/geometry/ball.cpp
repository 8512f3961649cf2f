// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/ball.hpp"
#include <cmath>
#include "simulator/phantom/geometry/body.hpp"

namespace synthoscope::simulator {
namespace {

/// Midpoints of equal steps over the part of a voxel's edge that the ball reaches.
struct Steps {
  double first = 0, step = 0;
  int count = 0;

  Steps(double middle, double radius, double voxel, double pitch) {
    const double low = std::max(voxel - pitch / 2, middle - radius);
    const double side = std::min(voxel + pitch / 2, middle + radius) - low;
    if (side <= 0) return;
    constexpr double kToDiameter = 64;
    count = static_cast<int>(std::ceil(std::clamp(kToDiameter * side / (2 * radius), 4.0, 64.0)));
    step = side / count;
    first = low + step / 2;
  }
  [[nodiscard]] double at(int i) const { return first + i * step; }
};

/// Returns the length within the voxel of a chord around `middle`; `square` is the square of half
/// the chord.
double chord_in(double square, double middle, double voxel, double pitch) {
  if (square <= 0) return 0;
  const double half = std::sqrt(square);
  return overlap(middle - half, middle + half, voxel - pitch / 2, voxel + pitch / 2);
}

}  // namespace

double ball_share(const Vector3& middle, double radius, const Vector3& voxel,
                  const Vector3& pitch) {
  // Voxels wholly outside or wholly inside need no sum
  double nearest = 0, farthest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double away = std::abs(voxel[axis] - middle[axis]);
    const double near = std::max(0.0, away - pitch[axis] / 2), far = away + pitch[axis] / 2;
    nearest += near * near;
    farthest += far * far;
  }
  const double square = radius * radius;
  if (nearest >= square) return 0;
  if (farthest <= square) return 1;

  const Steps z{middle[0], radius, voxel[0], pitch[0]}, y{middle[1], radius, voxel[1], pitch[1]};
  double sum = 0;
  for (int i = 0; i < z.count; ++i)
    for (int j = 0; j < y.count; ++j) {
      const double dz = z.at(i) - middle[0], dy = y.at(j) - middle[1];
      sum += chord_in(square - dz * dz - dy * dy, middle[2], voxel[2], pitch[2]);
    }
  return sum * (z.step * y.step) / (pitch[0] * pitch[1] * pitch[2]);
}

double disc_share(const Vector3& middle, double radius, const Vector3& voxel,
                  const Vector3& pitch) {
  const Steps z{middle[0], radius, voxel[0], pitch[0]};
  double sum = 0;
  for (int i = 0; i < z.count; ++i) {
    const double dz = z.at(i) - middle[0];
    sum += chord_in(radius * radius - dz * dz, middle[2], voxel[2], pitch[2]);
  }
  return sum * z.step / (pitch[0] * pitch[2]);
}

}  // namespace synthoscope::simulator
