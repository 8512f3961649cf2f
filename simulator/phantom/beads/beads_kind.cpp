// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads_kind.cpp — draws and places beads, and describes them in the tables
// of a world.
#include "simulator/phantom/beads/beads_kind.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include "core/base/error.hpp"
#include "core/math/random.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/geometry/ball.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kBeadTries = 2000;
constexpr std::uint16_t kDiameterDraw = 0, kBeadPlaceDraw = 256;

/// Beads by the cube that contains their centre. Cubes are so wide that a bead must be checked only
/// against beads in the same cube and the 26 around it.
class Cubes {
 public:
  explicit Cubes(double edge_um) : edge_um_{edge_um} {}

  void add(const Bead& bead) { cubes_[key(cube_of(bead.centre))].push_back(bead); }

  [[nodiscard]] bool keeps_apart(const Bead& bead, double gap_um) const {
    const auto [z, y, x] = cube_of(bead.centre);
    for (std::int64_t i = z - 1; i <= z + 1; ++i)
      for (std::int64_t j = y - 1; j <= y + 1; ++j)
        for (std::int64_t k = x - 1; k <= x + 1; ++k) {
          const auto found = cubes_.find(key({i, j, k}));
          if (found == cubes_.end()) continue;
          for (const Bead& other : found->second) {
            const Vector3 between = other.centre - bead.centre;
            const double least = bead.radius_um + other.radius_um + gap_um;
            if (dot(between, between) < least * least) return false;
          }
        }
    return true;
  }

 private:
  using Cube = std::array<std::int64_t, 3>;
  [[nodiscard]] Cube cube_of(const Vector3& p) const {
    Cube cube{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      cube[axis] = static_cast<std::int64_t>(std::floor(p[axis] / edge_um_));
    return cube;
  }
  /// Returns a hash of a cube. Cubes with equal hashes cost time but change no result.
  static std::uint64_t key(const Cube& c) {
    std::uint64_t mixed = 0;
    for (const std::int64_t coordinate : c)
      mixed = (mixed << 21) ^ (mixed >> 43) ^ static_cast<std::uint64_t>(coordinate);
    return mixed;
  }
  double edge_um_;
  std::unordered_map<std::uint64_t, std::vector<Bead>> cubes_;
};

Bead drawn_bead(const BeadsSpec& spec, const RandomStream& stream, std::uint64_t number) {
  const double mean_um = spec.diameter_um / 2;
  const double spread = spec.diameter_spread * bell(stream.block(number, kDiameterDraw));
  return {{}, mean_um * (1 + spread), spec.photons / ball_um3(mean_um)};
}

bool is_clear(const Bead& bead, double gap_um, std::span<const Obstacles> obstacles) {
  return std::all_of(obstacles.begin(), obstacles.end(), [&](const Obstacles& its) {
    return its.are_clear_of(bead.centre, bead.radius_um, gap_um);
  });
}

/// Returns how many obstacles of each sort there are: "8 nuclei and cells".
std::string said_of(std::span<const Obstacles> obstacles) {
  std::string text;
  for (std::size_t i = 0; i < obstacles.size();) {
    const std::string_view what = obstacles[i].what;
    std::int64_t count = 0;
    for (; i < obstacles.size() && obstacles[i].what == what; ++i) count += obstacles[i].count;
    if (text.empty() || count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : " and ", count, what);
  }
  return text;
}

/// Returns what would make space: of the last obstacles that say so, or a larger grid.
std::string_view remedy_for(std::span<const Obstacles> obstacles) {
  std::string_view remedy = "a larger grid";
  for (const Obstacles& its : obstacles)
    if (its.count > 0 && !its.remedy.empty()) remedy = its.remedy;
  return remedy;
}

}  // namespace

double Bead::volume_um3() const {
  return ball_um3(radius_um);
}

std::vector<Bead> scatter_beads(const BeadsSpec& spec, std::span<const Obstacles> obstacles,
                                const Grid& grid, std::uint64_t seed, const StopFlag& stop) {
  const RandomStream stream{seed, RandomStage::beads};
  const Vector3 size = size_um(grid);
  const std::int64_t count = number_of(spec, grid);
  std::vector<Bead> beads;
  beads.reserve(static_cast<std::size_t>(count));
  Cubes cubes{spec.diameter_um * (1 + kMaxBell * spec.diameter_spread) + spec.gap_um};

  const auto settle = [&](std::uint64_t number) {
    Bead bead = drawn_bead(spec, stream, number);
    const double margin = spec.border == BorderRule::inside ? bead.radius_um : 0;
    for (const double side : size)
      if (side < 2 * margin)
        throw InvalidSpec(fmt::format(
            "place beads: one is {:.3f} um wide, the grid {:.3f} um; use a larger grid, a smaller "
            "beads.diameter_um, or beads.border = \"cut\"",
            2 * bead.radius_um, side));
    for (int attempt = 0; attempt < kBeadTries; ++attempt) {
      const auto words = stream.block(number, static_cast<std::uint16_t>(kBeadPlaceDraw + attempt));
      for (std::size_t axis = 0; axis < 3; ++axis)
        bead.centre[axis] = margin + uniform32(words[axis]) * (size[axis] - 2 * margin);
      if (!is_clear(bead, spec.gap_um, obstacles) || !cubes.keeps_apart(bead, spec.gap_um))
        continue;
      cubes.add(bead);
      beads.push_back(bead);
      return true;
    }
    return false;
  };

  for (std::int64_t number = 0; number < count; ++number) {
    stop.check();
    if (!settle(static_cast<std::uint64_t>(number)))
      throw InvalidSpec(
          fmt::format("place beads: only {} of {} found a free place in {:.1f} x {:.1f} x {:.1f} "
                      "um next to {}, with {} tries "
                      "each; use fewer beads, a smaller beads.diameter_um or beads.gap_um, or {}",
                      number, count, size[0], size[1], size[2], said_of(obstacles), kBeadTries,
                      remedy_for(obstacles)));
  }
  return beads;
}

void describe(const PlacedObject& placed, const Bead& bead) {
  TableRow row = placed.row("/bead");
  row.vector("centre_um", bead.centre);
  row.real("radius_um", bead.radius_um);
  row.real("photons_per_um3", bead.photons_per_um3);
}

std::int64_t number_of(const BeadsSpec& spec, const Grid& grid) {
  return number_of(spec, 0, grid);
}

void require_valid(const BeadsSpec& s) {
  require_one_number("beads", s.count, s.density_per_mm3);
  RangeCheck check{"beads", s};
  list_beads_keys(check);
}

}  // namespace synthoscope::simulator
