// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/cell_interior.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/geometry/sphere.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns two numbers of mean 0 and variance 1, each from two uniform ones.
std::array<double, 2> pair_of(const PhiloxBlock& words) {
  const double scale = std::sqrt(6.0);
  return {scale * (uniform32(words[0]) + uniform32(words[1]) - 1),
          scale * (uniform32(words[2]) + uniform32(words[3]) - 1)};
}

}  // namespace

Draws organelle_draws(std::uint64_t seed, std::int64_t number, Structure structure,
                      std::int64_t element) {
  const auto index =
      (16 * static_cast<std::uint64_t>(number) + static_cast<std::uint64_t>(structure)) << 16;
  return {RandomStream{seed, RandomStage::organelles}, index + static_cast<std::uint64_t>(element)};
}

Vector3 random_direction(const PhiloxBlock& words) {
  const double z = 2 * uniform32(words[0]) - 1, around = std::sqrt((1 - z) * (1 + z));
  const auto [cosine, sine] = portable::cosine_and_sine(uniform32(words[1]));
  return {z, around * sine, around * cosine};
}

bool CellInterior::holds(const Vector3& point, double radius_um) const {
  if (!surface.contains(point) || surface.depth(point).um < membrane_um + radius_um) return false;
  return !nucleus || nucleus->depth(point).um <= -radius_um;
}

bool CellInterior::nucleus_holds(const Vector3& point, double radius_um) const {
  return nucleus && nucleus->contains(point) && nucleus->depth(point).um >= radius_um;
}

bool CellInterior::lies_below(const Vector3& point, double radius_um) const {
  if (radius_um == 0) return true;
  constexpr double kBetween = 1.06;  // every direction is within 19 degrees of one of the 98
  return std::all_of(
      separating_directions().begin(), separating_directions().end(),
      [&](const Vector3& u) { return surface.contains(point + (kBetween * radius_um) * u); });
}

Vector3 CellInterior::way_out(const Vector3& point) const {
  const Lobe::Depth outer = surface.depth(point);
  if (!nucleus) return outer.outward;
  const Lobe::Depth inner = nucleus->depth(point);
  return outer.um - membrane_um < -inner.um ? outer.outward : -1 * inner.outward;
}

std::vector<Vector3> walked(const CellInterior& interior, const Draws& draws, int first_draw,
                            const Vector3& start, const Vector3& direction, std::int64_t steps,
                            const Walk& walk) {
  // At a wall the path continues along it; each try leads a little farther away
  constexpr double kAway[] = {0, 0.1, 0.25, 0.5, 1, 2};
  // To second order in the step: the cosine that sideways kicks cost, and the part that normalising
  // the direction gives back
  const double per_step = walk.step_um / walk.persistence_um;
  const double kick = std::sqrt(per_step * (1 + 2 * per_step));
  std::vector<Vector3> points{start};
  Vector3 ahead = direction;
  for (std::int64_t i = 0; i < steps; ++i) {
    const auto [a, b] = pair_of(draws.block(first_draw + static_cast<int>(i)));
    const Vector3 aside = across(ahead);
    ahead = unit_vector(ahead + (kick * a) * aside + (kick * b) * cross(ahead, aside));
    Vector3 next = points.back() + walk.step_um * ahead;
    if (!interior.holds(next, walk.margin_um)) {
      const Vector3 wall = interior.way_out(next);
      bool is_free = false;
      for (const double away : kAway) {
        const Vector3 along = ahead - (dot(ahead, wall) + away) * wall;
        if (dot(along, along) < 1e-6) continue;
        next = points.back() + walk.step_um * unit_vector(along);
        is_free = interior.holds(next, walk.margin_um);
        if (!is_free) continue;
        ahead = unit_vector(along);
        break;
      }
      if (!is_free) break;
    }
    points.push_back(next);
  }
  return points;
}

}  // namespace synthoscope::simulator
