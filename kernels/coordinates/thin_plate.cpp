// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/math/linear_system.hpp"
#include "core/vector/vector_level.hpp"
#include "kernels/coordinates/warp.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::size_t kMaxLandmarks = 2000;

/// Coordinates that are computed at once: enough for vectors, while few are computed in vain.
constexpr int kPlacesAtOnce = 16;

/// How a term bends around a place: its slope there, as a multiple of the vector from the landmark
/// to the place, and how far within some distance the term departs from that slope.
struct Bend {
  double slope, beyond;
};

/// For r^2 log r^2 at r: its slope is 2 (log r^2 + 1) r, of magnitude at most 4 exp(-3/2) up to
/// r = exp(-1/2), and its second derivatives are at most 2 |log r^2 + 1| + 4.
Bend bend_in_plane(double r, double distance) {
  const auto about = [](double far) { return far > 0 ? 2 * std::log(far) + 1 : 0.0; };
  const double nearest = std::max(0.0, r - distance), farthest = r + distance;
  const double slope = 2 * about(r);
  const double steepest = std::max({2 * nearest * std::fabs(about(nearest)),
                                    2 * farthest * std::fabs(about(farthest)), 4 * std::exp(-1.5)});
  const double straight = (steepest + std::fabs(slope) * r) * distance;
  if (nearest <= 0) return {slope, straight};
  const double curved = 2 * std::max(std::fabs(about(nearest)), std::fabs(about(farthest))) + 4;
  return {slope, std::min(straight, curved * distance * distance / 2)};
}

/// For r: its slope is 1, and its second derivatives are at most 1 / r.
Bend bend_through_planes(double r, double distance) {
  const double slope = r > 0 ? 1 / r : 0, straight = 2 * distance;
  if (r <= distance) return {slope, straight};
  return {slope, std::min(straight, distance * distance / (2 * (r - distance)))};
}

double squared(const Coordinate3& a, const Coordinate3& b) {
  return ((a.z - b.z) * (a.z - b.z) + (a.y - b.y) * (a.y - b.y)) + (a.x - b.x) * (a.x - b.x);
}

}  // namespace

ThinPlateMap::ThinPlateMap(std::span<const Landmark> landmarks)
    : is_planar_{std::all_of(landmarks.begin(), landmarks.end(),
                             [](const Landmark& l) { return l.result.z == 0 && l.image.z == 0; })} {
  const std::size_t n = landmarks.size(), dimensions = is_planar_ ? 2 : 3;
  if (n <= dimensions || n > kMaxLandmarks)
    throw InvalidSpec(
        fmt::format("bend by {} landmarks: a thin-plate spline needs {} to {}; give that many", n,
                    dimensions + 1, kMaxLandmarks));

  // Centre the places and scale them to about 1, so that the equations are well conditioned
  Coordinate3 low = landmarks[0].result, high = low;
  for (const Landmark& l : landmarks) {
    low = {std::min(low.z, l.result.z), std::min(low.y, l.result.y), std::min(low.x, l.result.x)};
    high = {std::max(high.z, l.result.z), std::max(high.y, l.result.y),
            std::max(high.x, l.result.x)};
  }
  body_.middle = {(low.z + high.z) / 2, (low.y + high.y) / 2, (low.x + high.x) / 2};
  body_.size = std::max({high.z - low.z, high.y - low.y, high.x - low.x, 1e-9}) / 2;
  std::vector<Coordinate3> places;
  for (const Landmark& l : landmarks) places.push_back(brought_near(l.result));

  // Bookstein's L (w; a) = (v; 0), with the rows of the affine part last
  const std::size_t size = n + dimensions + 1;
  std::vector<std::vector<double>> equations(size, std::vector<double>(size + 3));
  const auto affine_term = [&](const Coordinate3& p, std::size_t i) {
    const std::array terms{1.0, p.x, p.y, p.z};
    return terms[i];
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k)
      equations[i][k] = is_planar_ ? bending<true>(squared(places[i], places[k]))
                                   : bending<false>(squared(places[i], places[k]));
    for (std::size_t k = 0; k <= dimensions; ++k)
      equations[i][n + k] = equations[n + k][i] = affine_term(places[i], k);
    equations[i][size] = landmarks[i].image.z;
    equations[i][size + 1] = landmarks[i].image.y;
    equations[i][size + 2] = landmarks[i].image.x;
  }
  if (!solve_linear(equations))
    throw InvalidSpec(fmt::format(
        "bend by {} landmarks: two of them coincide, or all of them lie in one {}; give others", n,
        is_planar_ ? "line" : "plane"));
  for (std::size_t i = 0; i < n; ++i) {
    const double* const weights = equations[i].data() + size;
    terms_.push_back({places[i].z, places[i].y, places[i].x, {weights[0], weights[1], weights[2]}});
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k <= dimensions; ++k)
      body_.affine[axis][k] = equations[n + k][size + axis];
  body_.terms = terms_.data();
  body_.count = static_cast<int>(n);
}

Coordinate3 ThinPlateMap::brought_near(const Coordinate3& o) const {
  const auto& [z, y, x] = body_.middle;
  return {(o.z - z) / body_.size, (o.y - y) / body_.size, (o.x - x) / body_.size};
}

Coordinate3 ThinPlateMap::at(const Coordinate3& voxel) const {
  CoordinatesOf<1> c;
  if (is_planar_)
    body_.row<true>(voxel.z, voxel.y, voxel.x, 1, c);
  else
    body_.row<false>(voxel.z, voxel.y, voxel.x, 1, c);
  return {c.z[0], c.y[0], c.x[0]};
}

void ThinPlateMap::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                       const CoordinateRow& to) const {
  const double in_z = static_cast<double>(z), in_y = static_cast<double>(y);
  vectorised(vector_level(), [&]() SYNTHOSCOPE_INLINE {
    for (std::int64_t i = 0; i < count; i += kPlacesAtOnce) {
      const double in_x = static_cast<double>(x + i);
      CoordinatesOf<kPlacesAtOnce> c;
      if (is_planar_)
        body_.row<true>(in_z, in_y, in_x, 1, c);
      else
        body_.row<false>(in_z, in_y, in_x, 1, c);
      const std::int64_t wanted = std::min<std::int64_t>(kPlacesAtOnce, count - i);
      std::copy_n(c.z, wanted, to.z + i);
      std::copy_n(c.y, wanted, to.y + i);
      std::copy_n(c.x, wanted, to.x + i);
    }
  });
}

CoordinateRange ThinPlateMap::cell_range(const Box3& cell) const {
  const auto half = [](std::int64_t n) { return static_cast<double>(n - 1) / 2; };
  const Coordinate3 reach{is_planar_ ? 0 : half(cell.size.z), half(cell.size.y), half(cell.size.x)};
  const Coordinate3 centre{is_planar_ ? 0 : static_cast<double>(cell.origin.z) + reach.z,
                           static_cast<double>(cell.origin.y) + reach.y,
                           static_cast<double>(cell.origin.x) + reach.x};
  const Coordinate3 o = brought_near(centre), c = at(centre);
  const double radius = std::sqrt(squared(reach, {})) / body_.size;
  std::array<Coordinate3, 3> slopes;
  std::array<double, 3> room{kRoundingRoom, kRoundingRoom, kRoundingRoom};
  for (std::size_t axis = 0; axis < 3; ++axis)
    slopes[axis] = {body_.affine[axis][3], body_.affine[axis][2], body_.affine[axis][1]};
  for (const ThinPlateTerm& term : terms_) {
    const double r = std::sqrt(squared(o, {term.z, term.y, term.x}));
    const Bend bend = is_planar_ ? bend_in_plane(r, radius) : bend_through_planes(r, radius);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double slope = term.weights[axis] * bend.slope;
      slopes[axis].z += slope * (o.z - term.z);
      slopes[axis].y += slope * (o.y - term.y);
      slopes[axis].x += slope * (o.x - term.x);
      room[axis] += std::fabs(term.weights[axis]) * bend.beyond;
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    room[axis] += (std::fabs(slopes[axis].z) * reach.z + std::fabs(slopes[axis].y) * reach.y +
                   std::fabs(slopes[axis].x) * reach.x) /
                  body_.size;
  const double z = static_cast<double>(cell.origin.z);
  if (is_planar_)
    return {{z, c.y - room[1], c.x - room[2]},
            {z + static_cast<double>(cell.size.z - 1), c.y + room[1], c.x + room[2]}};
  return {{c.z - room[0], c.y - room[1], c.x - room[2]},
          {c.z + room[0], c.y + room[1], c.x + room[2]}};
}

CoordinateRange ThinPlateMap::range(const Box3& box) const {
  // Bounds are found from the middle of a cell: smaller cells give tighter bounds
  const auto step = [](std::int64_t n) { return std::max<std::int64_t>(8, (n + 15) / 16); };
  const Extent3 cell{is_planar_ ? box.size.z : step(box.size.z), step(box.size.y),
                     step(box.size.x)};
  CoordinateRange all = CoordinateRange::nowhere();
  for (std::int64_t z = 0; z < box.size.z; z += cell.z)
    for (std::int64_t y = 0; y < box.size.y; y += cell.y)
      for (std::int64_t x = 0; x < box.size.x; x += cell.x)
        all.widen(cell_range(
            intersection({{box.origin.z + z, box.origin.y + y, box.origin.x + x}, cell}, box)));
  return all;
}

}  // namespace synthoscope::kernels
