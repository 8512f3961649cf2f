// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "kernels/warp.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::size_t kMostLandmarks = 2000;

/// How a plate bends at the distance whose square is `r2`.
double bending(bool is_planar, double r2) {
  if (is_planar) return r2 > 0 ? r2 * std::log(r2) : 0.0;
  return std::sqrt(r2);
}

/// The steepest that `bending` is between two distances: in planes 2 r |log r^2 + 1|, of which
/// 4 exp(-3/2) is the largest short of r = 1.
double steepest(bool is_planar, double nearest, double farthest) {
  if (!is_planar) return 1;
  const auto slope = [](double r) { return r > 0 ? 2 * r * std::fabs(2 * std::log(r) + 1) : 0.0; };
  return std::max({slope(nearest), slope(farthest), 4 * std::exp(-1.5)});
}

/// Solves `a` x = b for several b by elimination with the largest pivot of each column.
/// @param a  rows of n numbers, and behind them those of each b, which become x.
/// @returns whether there is a solution.
bool solve(std::vector<std::vector<double>>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i + 1; k < n; ++k)
      if (std::fabs(a[k][i]) > std::fabs(a[pivot][i])) pivot = k;
    if (!(std::fabs(a[pivot][i]) > 1e-10)) return false;
    std::swap(a[i], a[pivot]);
    for (std::size_t k = i + 1; k < n; ++k) {
      const double factor = a[k][i] / a[i][i];
      if (factor == 0) continue;
      for (std::size_t j = i; j < a[k].size(); ++j) a[k][j] -= factor * a[i][j];
    }
  }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = n; j < a[i].size(); ++j) {
      double sum = a[i][j];
      for (std::size_t k = i + 1; k < n; ++k) sum -= a[i][k] * a[k][j];
      a[i][j] = sum / a[i][i];
    }
  return true;
}

double squared(const Coordinate3& a, const Coordinate3& b) {
  return ((a.z - b.z) * (a.z - b.z) + (a.y - b.y) * (a.y - b.y)) + (a.x - b.x) * (a.x - b.x);
}

}  // namespace

ThinPlateMap::ThinPlateMap(std::span<const Landmark> landmarks)
    : is_planar_{std::all_of(landmarks.begin(), landmarks.end(),
                             [](const Landmark& l) { return l.result.z == 0 && l.image.z == 0; })} {
  const std::size_t n = landmarks.size(), dimensions = is_planar_ ? 2 : 3;
  if (n <= dimensions || n > kMostLandmarks)
    throw InvalidSpec(
        fmt::format("bend by {} landmarks: {} to {} fix a thin-plate spline; give as many", n,
                    dimensions + 1, kMostLandmarks));

  // Bring the places near 1 about 0: then the equations are as well conditioned as they can be
  Coordinate3 low = landmarks[0].result, high = low;
  for (const Landmark& l : landmarks) {
    low = {std::min(low.z, l.result.z), std::min(low.y, l.result.y), std::min(low.x, l.result.x)};
    high = {std::max(high.z, l.result.z), std::max(high.y, l.result.y),
            std::max(high.x, l.result.x)};
  }
  middle_ = {(low.z + high.z) / 2, (low.y + high.y) / 2, (low.x + high.x) / 2};
  size_ = std::max({high.z - low.z, high.y - low.y, high.x - low.x, 1e-9}) / 2;
  for (const Landmark& l : landmarks) places_.push_back(brought_near(l.result));

  // Bookstein's L (w; a) = (v; 0), with the rows of the affine part last
  const std::size_t size = n + dimensions + 1;
  std::vector<std::vector<double>> equations(size, std::vector<double>(size + 3));
  const auto affine_term = [&](const Coordinate3& p, std::size_t i) {
    const std::array terms{1.0, p.x, p.y, p.z};
    return terms[i];
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k)
      equations[i][k] = bending(is_planar_, squared(places_[i], places_[k]));
    for (std::size_t k = 0; k <= dimensions; ++k)
      equations[i][n + k] = equations[n + k][i] = affine_term(places_[i], k);
    equations[i][size] = landmarks[i].image.z;
    equations[i][size + 1] = landmarks[i].image.y;
    equations[i][size + 2] = landmarks[i].image.x;
  }
  if (!solve(equations))
    throw InvalidSpec(fmt::format(
        "bend by {} landmarks: two of them are in one place, or all of them in a {}; give others",
        n, is_planar_ ? "line" : "plane"));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < n; ++i) weights_[axis].push_back(equations[i][size + axis]);
    for (std::size_t k = 0; k <= dimensions; ++k) affine_[axis][k] = equations[n + k][size + axis];
  }
}

Coordinate3 ThinPlateMap::brought_near(const Coordinate3& o) const {
  return {(o.z - middle_.z) / size_, (o.y - middle_.y) / size_, (o.x - middle_.x) / size_};
}

Coordinate3 ThinPlateMap::at(const Coordinate3& voxel) const {
  const Coordinate3 o = brought_near(voxel);
  std::array<double, 3> c{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& a = affine_[axis];
    c[axis] = ((a[0] + a[1] * o.x) + a[2] * o.y) + a[3] * o.z;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double u = bending(is_planar_, squared(o, places_[i]));
    for (std::size_t axis = is_planar_ ? 1 : 0; axis < 3; ++axis) c[axis] += weights_[axis][i] * u;
  }
  return {is_planar_ ? voxel.z : c[0], c[1], c[2]};
}

void ThinPlateMap::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                       const CoordinateRow& to) const {
  for (std::int64_t i = 0; i < count; ++i) {
    // Within planes all are alike: the distance is one along them
    const double plane = static_cast<double>(is_planar_ ? 0 : z);
    const Coordinate3 c = at({plane, static_cast<double>(y), static_cast<double>(x + i)});
    to.z[i] = is_planar_ ? static_cast<double>(z) : c.z;
    to.y[i] = c.y;
    to.x[i] = c.x;
  }
}

CoordinateRange ThinPlateMap::cell_range(const Box3& cell) const {
  const auto half = [](std::int64_t n) { return static_cast<double>(n - 1) / 2; };
  const Coordinate3 reach{is_planar_ ? 0 : half(cell.size.z), half(cell.size.y), half(cell.size.x)};
  const Coordinate3 centre{is_planar_ ? 0 : static_cast<double>(cell.origin.z) + reach.z,
                           static_cast<double>(cell.origin.y) + reach.y,
                           static_cast<double>(cell.origin.x) + reach.x};
  const Coordinate3 o = brought_near(centre), c = at(centre);
  const double radius = std::sqrt(squared(reach, {})) / size_;
  std::array<double, 3> room{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    room[axis] =
        1e-6 + (std::fabs(affine_[axis][1]) * reach.x + std::fabs(affine_[axis][2]) * reach.y +
                std::fabs(affine_[axis][3]) * reach.z) /
                   size_;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double r = std::sqrt(squared(o, places_[i]));
    const double slope = steepest(is_planar_, std::max(0.0, r - radius), r + radius);
    for (std::size_t axis = 0; axis < 3; ++axis)
      room[axis] += std::fabs(weights_[axis][i]) * slope * radius;
  }
  const double z = static_cast<double>(cell.origin.z);
  if (is_planar_)
    return {{z, c.y - room[1], c.x - room[2]},
            {z + static_cast<double>(cell.size.z - 1), c.y + room[1], c.x + room[2]}};
  return {{c.z - room[0], c.y - room[1], c.x - room[2]},
          {c.z + room[0], c.y + room[1], c.x + room[2]}};
}

CoordinateRange ThinPlateMap::range(const Box3& box) const {
  // Where it is known at the middle of a cell it is known nearby: small cells say more
  const auto step = [](std::int64_t n) { return std::max<std::int64_t>(8, (n + 15) / 16); };
  const Extent3 cell{is_planar_ ? box.size.z : step(box.size.z), step(box.size.y),
                     step(box.size.x)};
  CoordinateRange all{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (std::int64_t z = 0; z < box.size.z; z += cell.z)
    for (std::int64_t y = 0; y < box.size.y; y += cell.y)
      for (std::int64_t x = 0; x < box.size.x; x += cell.x) {
        const CoordinateRange one = cell_range(
            intersection({{box.origin.z + z, box.origin.y + y, box.origin.x + x}, cell}, box));
        all.low = {std::min(all.low.z, one.low.z), std::min(all.low.y, one.low.y),
                   std::min(all.low.x, one.low.x)};
        all.high = {std::max(all.high.z, one.high.z), std::max(all.high.y, one.high.y),
                    std::max(all.high.x, one.high.x)};
      }
  return all;
}

}  // namespace synthoscope::kernels
