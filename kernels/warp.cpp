// SPDX-License-Identifier: MIT
#include "kernels/warp.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace synthoscope::kernels {
namespace {

/// What rounding in the sums of a coordinate may make, and far more.
constexpr double kRoundingRoom = 1e-6;

CoordinateRange everywhere() {
  return {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

void widen(CoordinateRange& range, const Coordinate3& low, const Coordinate3& high) {
  range.low = {std::min(range.low.z, low.z), std::min(range.low.y, low.y),
               std::min(range.low.x, low.x)};
  range.high = {std::max(range.high.z, high.z), std::max(range.high.y, high.y),
                std::max(range.high.x, high.x)};
}

CoordinateRange nowhere() {
  return {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

double real(std::int64_t i) {
  return static_cast<double>(i);
}

}  // namespace

ProjectiveMap::ProjectiveMap(const Matrix& matrix) : matrix_{matrix} {
  for (const auto& row : matrix)
    for (const double a : row)
      if (!std::isfinite(a))
        throw InvalidSpec(
            "resample by a homography: a number of it is not finite; use one of finite numbers");
  if (std::all_of(matrix[3].begin(), matrix[3].end(), [](double a) { return a == 0; }))
    throw InvalidSpec(
        "resample by a homography: its last row is all zeros, so that no voxel has a coordinate; "
        "use one such as 0,0,1");
  // z is then z times the divisor, divided by it: not always itself to the last bit
  keeps_planes_ = matrix[0] == std::array<double, 4>{1, 0, 0, 0} && matrix[1][0] == 0 &&
                  matrix[2][0] == 0 && matrix[3][0] == 0;
}

void ProjectiveMap::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                        const CoordinateRow& to) const {
  const auto at = [&](std::size_t i, double column) {
    const auto& a = matrix_[i];
    return ((real(z) * a[0] + real(y) * a[1]) + column * a[2]) + a[3];
  };
  for (std::int64_t i = 0; i < count; ++i) {
    const double column = real(x + i), divisor = at(3, column);
    const bool is_before = divisor > 0;
    to.z[i] = !is_before ? NAN : keeps_planes_ ? real(z) : at(0, column) / divisor;
    to.y[i] = is_before ? at(1, column) / divisor : NAN;
    to.x[i] = is_before ? at(2, column) / divisor : NAN;
  }
}

CoordinateRange ProjectiveMap::range(const Box3& box) const {
  // Lines stay lines: the image of a box is the hull of its corners', unless a part lies behind
  CoordinateRange range = nowhere();
  for (int corner = 0; corner < 8; ++corner) {
    const auto end = [&](std::int64_t origin, std::int64_t size, int bit) {
      return (corner >> bit) & 1 ? origin + size - 1 : origin;
    };
    double c[3];
    row(end(box.origin.z, box.size.z, 2), end(box.origin.y, box.size.y, 1),
        end(box.origin.x, box.size.x, 0), 1, {c, c + 1, c + 2});
    if (std::isnan(c[1])) return everywhere();
    const auto room = [](double v) { return kRoundingRoom + 1e-12 * std::fabs(v); };
    widen(range, {c[0] - room(c[0]), c[1] - room(c[1]), c[2] - room(c[2])},
          {c[0] + room(c[0]), c[1] + room(c[1]), c[2] + room(c[2])});
  }
  return range;
}

DisplacementMap::DisplacementMap(HostView3<const float> z, HostView3<const float> y,
                                 HostView3<const float> x)
    : fields_{z, y, x} {}

void DisplacementMap::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                          const CoordinateRow& to) const {
  const auto add = [&](std::size_t axis, std::int64_t first, std::int64_t step, double* c) {
    const float* const by = fields_[axis].data() ? fields_[axis].row(z, y) + x : nullptr;
    for (std::int64_t i = 0; i < count; ++i)
      c[i] = real(first + step * i) + (by ? static_cast<double>(by[i]) : 0.0);
  };
  add(0, z, 0, to.z);
  add(1, y, 0, to.y);
  add(2, x, 1, to.x);
}

CoordinateRange DisplacementMap::range(const Box3& box) const {
  constexpr std::int64_t kPiece = 256;
  CoordinateRange range = nowhere();
  double c[3][kPiece];
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; x += kPiece) {
        const std::int64_t count = std::min(kPiece, box.size.x - x);
        row(box.origin.z + z, box.origin.y + y, box.origin.x + x, count, {c[0], c[1], c[2]});
        for (std::int64_t i = 0; i < count; ++i) {
          if (std::isnan(c[0][i] + c[1][i] + c[2][i])) return everywhere();
          widen(range, {c[0][i], c[1][i], c[2][i]}, {c[0][i], c[1][i], c[2][i]});
        }
      }
  return range;
}

}  // namespace synthoscope::kernels
