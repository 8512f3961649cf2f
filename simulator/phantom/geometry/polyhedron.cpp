// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/polyhedron.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace synthoscope::simulator {
namespace {

/// Returns where the plane crosses an edge whose ends have depths of opposite signs; the result is
/// equal from either end, so that faces keep sharing their corners.
Vector3 crossing(Vector3 a, double depth_a, Vector3 b, double depth_b) {
  if (b < a) {
    std::swap(a, b);
    std::swap(depth_a, depth_b);
  }
  return a + (depth_a / (depth_a - depth_b)) * (b - a);
}

/// Returns a number that grows with the angle from the first axis towards the second.
double turn_of(double along, double across) {
  const double sum = std::abs(along) + std::abs(across);
  if (sum == 0) return 0;
  const double part = across / sum;
  return along >= 0 ? part : 2 - part;
}

/// Puts the corners of a convex face in the order around it, once each; two neighbouring faces
/// contribute each corner.
void order_around(std::vector<Vector3>& corners, const Vector3& normal) {
  if (corners.empty()) return;
  Vector3 middle{};
  for (const Vector3& corner : corners)
    middle = middle + (1 / static_cast<double>(corners.size())) * corner;
  std::size_t least = 0;  // the axis that the normal is farthest from
  for (std::size_t axis = 1; axis < 3; ++axis)
    if (std::abs(normal[axis]) < std::abs(normal[least])) least = axis;
  Vector3 across{};
  across[least] = 1;
  const Vector3 u = cross(normal, across), v = cross(normal, u);
  std::vector<std::pair<double, Vector3>> turned;
  turned.reserve(corners.size());
  for (const Vector3& corner : corners) {
    const Vector3 from = corner - middle;
    turned.emplace_back(turn_of(dot(from, u), dot(from, v)), corner);
  }
  std::sort(turned.begin(), turned.end());
  turned.erase(std::unique(turned.begin(), turned.end()), turned.end());
  corners.resize(turned.size());
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = turned[i].second;
}

}  // namespace

Polyhedron::Polyhedron(const Bounds& box) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double place : {box.low[axis], box.high[axis]}) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      Face face{kBoxSide, {}};
      for (const auto& [first, second] : {std::pair{box.low[u], box.low[v]},
                                          {box.high[u], box.low[v]},
                                          {box.high[u], box.high[v]},
                                          {box.low[u], box.high[v]}}) {
        Vector3 corner{};
        corner[axis] = place;
        corner[u] = first;
        corner[v] = second;
        face.corners.push_back(corner);
      }
      faces_.push_back(std::move(face));
    }
}

void Polyhedron::cut(const HalfSpace& side, int number) {
  bool is_cut = false;
  for_each_corner([&](const Vector3& corner) { is_cut = is_cut || side.depth(corner) < 0; });
  if (!is_cut) return;
  std::vector<Face> left;
  std::vector<Vector3> opened;
  for (Face& face : faces_) {
    std::vector<Vector3> kept;
    const std::size_t count = face.corners.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Vector3 &a = face.corners[i], &b = face.corners[(i + 1) % count];
      const double depth_a = side.depth(a), depth_b = side.depth(b);
      if (depth_a >= 0) kept.push_back(a);
      if ((depth_a >= 0) == (depth_b >= 0)) continue;
      kept.push_back(crossing(a, depth_a, b, depth_b));
      opened.push_back(kept.back());
    }
    if (kept.size() >= 3) left.push_back({face.number, std::move(kept)});
  }
  faces_ = std::move(left);
  order_around(opened, side.normal);
  if (faces_.empty() || opened.size() < 3) return;
  faces_.push_back({number, std::move(opened)});
}

template <class Visit>
void Polyhedron::for_each_corner(Visit&& visit) const {
  for (const Face& face : faces_)
    for (const Vector3& corner : face.corners) visit(corner);
}

/// Sums pyramids from a point inside, cut into tetrahedra; the volume of each is |det| / 6.
Polyhedron::Moments Polyhedron::moments() const {
  Vector3 inside{};
  double corners = 0;
  for_each_corner([&](const Vector3& corner) {
    inside = inside + corner;
    ++corners;
  });
  inside = (1 / corners) * inside;
  Moments all;
  for (const Face& face : faces_)
    for (std::size_t i = 2; i < face.corners.size(); ++i) {
      const Vector3 a = face.corners[0] - inside, b = face.corners[i - 1] - inside,
                    c = face.corners[i] - inside;
      const double volume = std::abs(dot(a, cross(b, c))) / 6;
      all.volume += volume;
      all.first = all.first + volume * (inside + 0.25 * (a + b + c));
    }
  return all;
}

double Polyhedron::volume() const {
  return empty() ? 0 : moments().volume;
}

Vector3 Polyhedron::centroid() const {
  const Moments all = moments();
  return (1 / all.volume) * all.first;
}

Bounds Polyhedron::bounds() const {
  Bounds bounds{faces_.front().corners.front(), faces_.front().corners.front()};
  for_each_corner([&](const Vector3& corner) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bounds.low[axis] = std::min(bounds.low[axis], corner[axis]);
      bounds.high[axis] = std::max(bounds.high[axis], corner[axis]);
    }
  });
  return bounds;
}

double Polyhedron::farthest_square(const Vector3& point) const {
  double farthest = 0;
  for_each_corner([&](const Vector3& corner) {
    const Vector3 from = corner - point;
    farthest = std::max(farthest, dot(from, from));
  });
  return farthest;
}

std::vector<int> Polyhedron::cuts() const {
  std::vector<int> numbers;
  for (const Face& face : faces_)
    if (face.number != kBoxSide) numbers.push_back(face.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace synthoscope::simulator
