// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/power_diagram.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include "simulator/phantom/geometry/draws.hpp"

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

/// Seeds in cubes of about one seed each, so that near ones are found first.
class SeedCubes {
 public:
  SeedCubes(const std::vector<PowerSeed>& seeds, const Bounds& box) : low_{box.low} {
    const Vector3 size = box.high - box.low;
    edge_ = cube_root(size[0] * size[1] * size[2] / static_cast<double>(seeds.size()));
    for (std::size_t axis = 0; axis < 3; ++axis)
      count_[axis] = std::max<std::int64_t>(1, static_cast<std::int64_t>(size[axis] / edge_) + 1);
    cubes_.resize(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]));
    for (std::size_t i = 0; i < seeds.size(); ++i) cubes_[place(cube_of(seeds[i].at))].push_back(i);
  }

  /// Seeds of ring r are at least r - 1 edges away.
  [[nodiscard]] double edge() const { return edge_; }
  [[nodiscard]] std::int64_t rings() const { return std::max({count_[0], count_[1], count_[2]}); }

  /// Calls `visit(seed)` for the seeds in cubes that are `ring` cubes away from the cube of `at`.
  template <class Visit>
  void for_each_of_ring(const Vector3& at, std::int64_t ring, Visit&& visit) const {
    const Cube middle = cube_of(at);
    const auto from = [&](std::size_t a) { return std::max<std::int64_t>(0, middle[a] - ring); };
    const auto to = [&](std::size_t a) { return std::min(count_[a] - 1, middle[a] + ring); };
    for (std::int64_t z = from(0); z <= to(0); ++z)
      for (std::int64_t y = from(1); y <= to(1); ++y) {
        const bool on_shell = std::abs(z - middle[0]) == ring || std::abs(y - middle[1]) == ring;
        for (std::int64_t x = from(2); x <= to(2); ++x)
          if (on_shell || std::abs(x - middle[2]) == ring)
            for (const std::size_t seed : cubes_[place({z, y, x})]) visit(seed);
      }
  }

 private:
  using Cube = std::array<std::int64_t, 3>;
  [[nodiscard]] Cube cube_of(const Vector3& p) const {
    Cube cube{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      cube[axis] = std::clamp<std::int64_t>(
          static_cast<std::int64_t>(std::floor((p[axis] - low_[axis]) / edge_)), 0,
          count_[axis] - 1);
    return cube;
  }
  [[nodiscard]] std::size_t place(const Cube& c) const {
    return static_cast<std::size_t>((c[0] * count_[1] + c[1]) * count_[2] + c[2]);
  }
  Vector3 low_;
  double edge_ = 1;
  Cube count_{};
  std::vector<std::vector<std::size_t>> cubes_;
};

PowerCell cell_of(const std::vector<PowerSeed>& seeds, std::size_t i, const SeedCubes& cubes,
                  const Bounds& box, double most_weight) {
  PowerCell cell{Polyhedron{box}, {}};
  const PowerSeed& own = seeds[i];
  for (std::int64_t ring = 0; ring < cubes.rings(); ++ring) {
    // Planes of farther seeds are `reach` or more away; stop if no corner of the cell is
    const double near = static_cast<double>(ring - 1) * cubes.edge();
    if (ring > 1) {
      const double reach = (near * near + own.weight - most_weight) / (2 * near);
      if (reach > 0 && reach * reach >= cell.body.farthest_square(own.at)) break;
    }
    cubes.for_each_of_ring(own.at, ring, [&](std::size_t j) {
      if (j != i && !cell.body.empty())
        cell.body.cut(side_between(seeds, i, j), static_cast<int>(j));
    });
    if (cell.body.empty()) return cell;
  }
  for (const int j : cell.body.cuts())
    cell.sides.push_back(side_between(seeds, i, static_cast<std::size_t>(j)));
  return cell;
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

HalfSpace side_between(const std::vector<PowerSeed>& seeds, std::size_t i, std::size_t j) {
  const bool turned = j < i;
  const PowerSeed &a = seeds[turned ? j : i], &b = seeds[turned ? i : j];
  const Vector3 between = b.at - a.at;
  const double distance = std::sqrt(dot(between, between));
  const Vector3 normal = (1 / distance) * between;
  const double along = (distance * distance + a.weight - b.weight) / (2 * distance);
  const HalfSpace side{normal, dot(normal, a.at) + along};
  return turned ? HalfSpace{-1 * side.normal, -side.offset} : side;
}

std::vector<PowerCell> power_diagram(const std::vector<PowerSeed>& seeds, const Bounds& box,
                                     const RunContext& context) {
  if (seeds.empty()) return {};
  const SeedCubes cubes{seeds, box};
  double most_weight = 0;
  for (const PowerSeed& seed : seeds) most_weight = std::max(most_weight, seed.weight);
  std::vector<std::optional<PowerCell>> made(seeds.size());
  context.pool.for_each(static_cast<std::int64_t>(seeds.size()), [&](std::int64_t i) {
    context.stop.check();
    const auto number = static_cast<std::size_t>(i);
    made[number] = cell_of(seeds, number, cubes, box, most_weight);
  });
  std::vector<PowerCell> cells;
  cells.reserve(made.size());
  for (auto& cell : made) cells.push_back(std::move(*cell));
  return cells;
}

}  // namespace synthoscope::simulator
