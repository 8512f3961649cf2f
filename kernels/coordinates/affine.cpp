// SPDX-License-Identifier: MIT
#include "kernels/coordinates/affine.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include "core/vector/vector_level.hpp"

namespace synthoscope::kernels {
namespace {

/// Returns the least and the largest coordinate of a box along an axis. Both are at corners,
/// because rounding is monotonic.
std::pair<double, double> ends(const Affine& affine, int axis, const Box3& box) {
  double low = INFINITY, high = -INFINITY;
  for (int corner = 0; corner < 8; ++corner) {
    const auto end = [&](std::int64_t origin, std::int64_t size, int bit) {
      return static_cast<double>((corner >> bit) & 1 ? origin + size - 1 : origin);
    };
    const double c = affine.at(axis, end(box.origin.z, box.size.z, 2),
                               end(box.origin.y, box.size.y, 1), end(box.origin.x, box.size.x, 0));
    low = std::min(low, c);
    high = std::max(high, c);
  }
  return {low, high};
}

bool is_whole(const std::array<double, 4>& row) {
  return std::all_of(row.begin(), row.end(),
                     [](double a) { return a == std::floor(a) && std::fabs(a) < 0x1p31; });
}

}  // namespace

bool is_diagonal(const Affine& affine) {
  const auto& a = affine.rows;
  return a[0][1] == 0 && a[0][2] == 0 && a[1][0] == 0 && a[1][2] == 0 && a[2][0] == 0 &&
         a[2][1] == 0;
}

bool keeps_planes(const Affine& affine) {
  const auto& a = affine.rows;
  return a[0][1] == 0 && a[0][2] == 0 && a[1][0] == 0 && a[2][0] == 0;
}

Affine inverse(const Affine& affine) {
  const auto& a = affine.rows;
  const auto minor = [&](std::size_t i, std::size_t j) {
    const std::size_t r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return a[r][c] * a[s][d] - a[r][d] * a[s][c];
  };
  const double determinant = a[0][0] * minor(0, 0) + a[0][1] * minor(0, 1) + a[0][2] * minor(0, 2);
  if (!(std::fabs(determinant) > 0) || !std::isfinite(determinant))
    throw InvalidSpec(
        "invert a matrix of coordinates: it is singular, so that many voxels have the same "
        "coordinate; use one with three independent rows");
  Affine result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.rows[i][3] = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      result.rows[i][j] = minor(j, i) / determinant;
      result.rows[i][3] -= result.rows[i][j] * a[j][3];
    }
  }
  return result;
}

namespace {

/// Exact for quarter turns, so that no voxel falls outside the image by rounding.
std::pair<double, double> cosine_and_sine(double degrees) {
  const double quarters = std::fmod(degrees / 90, 4);
  if (quarters == std::trunc(quarters)) {
    constexpr std::array<double, 4> kCosines{1, 0, -1, 0};
    const auto turns = static_cast<std::size_t>(quarters < 0 ? quarters + 4 : quarters);
    return {kCosines[turns], kCosines[(turns + 3) % 4]};
  }
  const double angle = degrees * std::numbers::pi / 180;
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Affine rotation(int axis, double degrees, const Extent3& image, const Extent3& result,
                const Coordinate3& unit) {
  const std::array units{unit.z, unit.y, unit.x};
  const auto middle = [](const Extent3& e) {
    const auto half = [](std::int64_t n) { return static_cast<double>(n - 1) / 2; };
    return std::array{half(e.z), half(e.y), half(e.x)};
  };
  const std::size_t a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  const auto [cosine, sine] = cosine_and_sine(degrees);
  Affine turn;
  turn.rows[a][a] = turn.rows[b][b] = cosine;
  turn.rows[a][b] = sine * units[b] / units[a];
  turn.rows[b][a] = -sine * units[a] / units[b];
  const auto from = middle(image), to = middle(result);
  for (std::size_t i = 0; i < 3; ++i) {
    turn.rows[i][3] = from[i];
    for (std::size_t j = 0; j < 3; ++j) turn.rows[i][3] -= turn.rows[i][j] * to[j];
  }
  return turn;
}

Affine resizing(const Coordinate3& step) {
  Affine result;
  const std::array steps{step.z, step.y, step.x};
  for (std::size_t i = 0; i < 3; ++i) {
    result.rows[i][i] = steps[i];
    result.rows[i][3] = steps[i] / 2 - 0.5;
  }
  return result;
}

AffineMap::AffineMap(const Affine& affine) : affine_{affine} {
  // No coordinate is -0: whole_below would take it for one before the image
  for (auto& row : affine_.rows) row[3] += 0.0;
}

void AffineMap::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                    const CoordinateRow& to) const {
  /// ((z a0 + y a1) + x a2) + b; the terms that do not change along the row are computed once.
  struct Line {
    double row, step, shift;
    [[nodiscard]] SYNTHOSCOPE_INLINE double at(double voxel) const {
      return (row + voxel * step) + shift;
    }
  };
  const auto line = [&](std::size_t axis) {
    const auto& a = affine_.rows[axis];
    return Line{static_cast<double>(z) * a[0] + static_cast<double>(y) * a[1], a[2], a[3]};
  };
  vectorised(vector_level(),
             [=, &to, in_z = line(0), in_y = line(1), in_x = line(2)]() SYNTHOSCOPE_INLINE {
               // Local copies: for the compiler, `to` might point to captured variables
               const Line of_z = in_z, of_y = in_y, of_x = in_x;
               double *const to_z = to.z, *const to_y = to.y, *const to_x = to.x;
               const double first = static_cast<double>(x);
               const int n = static_cast<int>(count);
               if (of_z.step == 0)
                 std::fill_n(to_z, n, of_z.at(first));
               else
                 for (int i = 0; i < n; ++i) to_z[i] = of_z.at(first + i);
               for (int i = 0; i < n; ++i) {
                 to_y[i] = of_y.at(first + i);
                 to_x[i] = of_x.at(first + i);
               }
             });
}

CoordinateRange AffineMap::range(const Box3& box) const {
  const auto [z0, z1] = ends(affine_, 0, box);
  const auto [y0, y1] = ends(affine_, 1, box);
  const auto [x0, x1] = ends(affine_, 2, box);
  return {{z0, y0, x0}, {z1, y1, x1}};
}

WholeAxes AffineMap::whole_axes() const {
  return {is_whole(affine_.rows[0]), is_whole(affine_.rows[1])};
}

}  // namespace synthoscope::kernels
