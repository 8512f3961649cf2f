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
