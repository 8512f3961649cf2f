// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_mitochondria.cpp — hollow mitochondria, granules, vacuoles.
#include <algorithm>
#include <cmath>
#include <optional>
#include "core/math/elementary.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kSpineUm = 0.25;
constexpr double kFlatUm = 0.35;         // half height of the widest mitochondria
constexpr std::int64_t kMostSpine = 40;  // points of a spine

/// Returns how dense organelles are at a point, relative to the most: half at `reach_um` from the
/// nucleus.
double near_nucleus(const AdherentInterior& cell, const Point2& p, double reach_um) {
  const double y = p[0] - cell.middle[0], x = p[1] - cell.middle[1];
  const double radius = cell.nucleus ? 0.4 * cell.nucleus->bounding_radius_um() : 0;
  const double away = std::max(0.0, std::sqrt(y * y + x * x) - radius) / reach_um;
  return 1 / (1 + away * away * away * away);
}

/// Returns a place in the cytoplasm with `margin_um` around it; nothing if none is found.
std::optional<Vector3> place_in(const AdherentInterior& cell, const Draws& draws, double margin_um,
                                double reach_um, int tries) {
  for (int i = 0; i < tries; ++i) {
    const auto words = draws.block(i);
    const Point2 p = cell.anywhere(uniform32(words[0]), uniform32(words[1]));
    const double height = cell.height(p);
    if (height < 2 * margin_um || cell.distance(p) < 1.5 * margin_um) continue;
    if (uniform32(words[2]) > 0.04 + 0.96 * near_nucleus(cell, p, reach_um)) continue;
    const double z = margin_um + uniform32(words[3]) * (height - 2 * margin_um);
    const Vector3 at{cell.glass_um + z, p[0], p[1]};
    if (cell.holds(at, margin_um)) return at;
  }
  return std::nullopt;
}

/// One mitochondrion: a bent spine with a half width at each point.
struct Spine {
  std::vector<Vector3> points;
  std::vector<double> half_widths;
};

/// Walks from a place in both directions along the glass.
Spine draw_spine(const AdherentInterior& cell, const Vector3& start, double length_um,
                 double half_um, const Draws& draws) {
  const auto words = draws.block(200), more = draws.block(201);
  const auto [cosine, sine] = portable::cosine_and_sine(uniform32(words[0]));
  const auto count =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(length_um / kSpineUm), 1, kMostSpine - 1);
  Spine spine;
  spine.points.push_back(start);
  Vector3 way{0, sine, cosine};
  double bend = 0.5 * (uniform32(words[1]) - 0.5);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto its = draws.block(300 + static_cast<int>(i));
    bend = 0.75 * bend + 0.3 * (uniform32(its[0]) - 0.5);
    way = unit_vector(way + bend * Vector3{0, way[2], -way[1]});
    const Vector3 next = spine.points.back() + kSpineUm * way;
    if (!cell.holds(next, std::min(0.9 * half_um, kFlatUm))) break;
    spine.points.push_back(next);
  }
  // Round ends, and a waist or a bulge
  const auto last = static_cast<double>(spine.points.size() - 1);
  const double waist = 0.5 * (uniform32(words[2]) - 0.5), phase = uniform32(more[0]);
  for (std::size_t i = 0; i < spine.points.size(); ++i) {
    const double t = last > 0 ? static_cast<double>(i) / last : 0.5;
    const double wave = portable::cosine_and_sine(t * (0.5 + uniform32(more[1])) + phase).cosine;
    const double rough = uniform32(draws.block(800 + static_cast<int>(i))[0]) - 0.5;
    spine.half_widths.push_back(half_um * (1 + waist * wave + 0.35 * rough));
  }
  return spine;
}

/// Adds the wall of a mitochondrion, a closed tube around its spine, and walls across it.
void add_wall(const Spine& spine, double wall_um, double cross_chance, const Draws& draws,
              Strand& strand) {
  const std::size_t count = spine.points.size();
  const auto way_at = [&](std::size_t i) {
    if (count == 1) return Vector3{0, 0, 1};
    const Vector3 &a = spine.points[i > 0 ? i - 1 : 0],
                  &b = spine.points[std::min(i + 1, count - 1)];
    return unit_vector(b - a);
  };
  std::vector<Vector3> left, right, loop;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 way = way_at(i);
    const Vector3 aside{0, way[2], -way[1]};
    const double half = std::max(0.05, spine.half_widths[i] - wall_um);
    left.push_back(spine.points[i] + half * aside);
    right.push_back(spine.points[i] - half * aside);
  }
  const auto cap = [&](std::size_t i, double sign, std::vector<Vector3>& to) {
    const Vector3 way = sign * way_at(i), aside{0, way[2], -way[1]};
    const double half = std::max(0.05, spine.half_widths[i] - wall_um);
    for (const double turn : {0.08, 0.17, 0.25, 0.33, 0.42}) {
      const auto [c, s] = portable::cosine_and_sine(turn);
      to.push_back(spine.points[i] + (half * c) * aside + (half * s) * way);
    }
  };
  loop = left;
  cap(count - 1, 1, loop);
  loop.insert(loop.end(), right.rbegin(), right.rend());
  cap(0, -1, loop);
  loop.push_back(loop.front());
  std::vector<double> radii;
  for (std::size_t i = 0; i < loop.size(); ++i)
    radii.push_back(wall_um * (0.65 + 0.7 * uniform32(draws.block(400 + static_cast<int>(i))[0])));
  radii.back() = radii.front();
  strand.add_chain(loop, radii);
  for (std::size_t i = 2; i + 2 < count; ++i) {
    const auto words = draws.block(600 + static_cast<int>(i));
    if (uniform32(words[0]) >= cross_chance) continue;
    const Vector3 ends[] = {left[i], right[std::min(count - 1, i + (words[1] % 3) - 1)]};
    const double across[] = {0.8 * wall_um, 0.8 * wall_um};
    strand.add_chain(ends, across);
  }
}

}  // namespace

bool AdherentInterior::holds(const Vector3& p, double margin_um) const {
  const Point2 flat{p[1], p[2]};
  const double z = p[0] - glass_um;
  if (z < margin_um || z > height(flat) - margin_um || distance(flat) < margin_um) return false;
  return !nucleus || nucleus->shape().depth_um(p, 1) <= -margin_um;
}

void add_mitochondria(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
                      std::int64_t number, std::vector<StainedStrand>& all) {
  std::vector<Strand> walls(kWallStrands);
  Strand inside;
  std::vector<Vector3> taken;
  std::int64_t left = most_adherent_pieces::of_mitochondria(spec);
  for (std::int64_t i = 0; i < cell.scaled(spec.mitochondria); ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::mitochondria, i);
    const auto words = draws.block(202), more = draws.block(203);
    const double kind = uniform32(words[0]), size = portable::exp(0.35 * bell(draws.block(204)));
    double half = spec.mitochondria_radius_um * portable::exp(0.3 * bell(draws.block(205)));
    double length = spec.mitochondria_length_um * size;
    double wall = 0.12 + 0.05 * uniform32(words[2]);
    if (kind < 0.2) {  // a thin thread
      half *= 0.45;
      length *= 2.2;
    } else if (kind < 0.45) {  // a dot
      half *= 0.65;
      length = 0;
    } else if (kind < 0.6) {  // long and wide
      half *= 1.25;
      length *= 2;
    } else {
      length = std::max(0.0, length - 2 * half);
    }
    wall = std::min(wall, 0.6 * half);
    const auto start =
        place_in(cell, draws, std::min(half, kFlatUm), spec.mitochondria_reach_um, 200);
    if (!start) continue;
    const auto is_taken = [&](const Vector3& p) {
      return std::any_of(taken.begin(), taken.end(), [&](const Vector3& other) {
        const Vector3 from = p - other;
        return from[1] * from[1] + from[2] * from[2] < 0.2 * half + 0.1;
      });
    };
    if (is_taken(*start)) continue;
    const Spine spine = draw_spine(cell, *start, length, half, draws);
    left -= 20 + 4 * std::ssize(spine.points);
    if (left < 0) break;
    taken.insert(taken.end(), spine.points.begin(), spine.points.end());
    const auto level =
        static_cast<std::size_t>(static_cast<double>(kWallStrands) * uniform32(words[3]));
    add_wall(spine, wall, uniform32(more[0]) < 0.5 ? 0.3 : 0.05, draws, walls[level]);
    std::vector<double> radii;
    for (const double its : spine.half_widths)
      radii.push_back(std::max(0.04, std::min(its, kFlatUm + 0.15) - 0.5 * wall));
    if (spine.points.size() == 1)
      inside.add({spine.points[0], spine.points[0], radii[0], radii[0]});
    else
      inside.add_chain(spine.points, radii);
  }
  constexpr double kFactors[kWallStrands] = {0.45, 0.75, 1.1, 1.7};
  for (std::size_t i = 0; i < walls.size(); ++i)
    if (!walls[i].empty())
      all.push_back({std::move(walls[i]), kFactors[i] * spec.mitochondria_photons_per_um3,
                     Structure::mitochondrion, false});
  if (!inside.empty())
    all.push_back({std::move(inside), spec.mitochondria_matrix * spec.mitochondria_photons_per_um3,
                   Structure::mitochondrion, false});
}

void add_granules(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
                  std::int64_t number, std::vector<StainedStrand>& all) {
  Strand strand;
  for (std::int64_t i = 0; i < cell.scaled(spec.granules); ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::granules, i);
    const double radius = spec.granule_radius_um * (0.7 + 0.6 * uniform32(draws.block(201)[0]));
    const auto at = place_in(cell, draws, radius, 1.5 * spec.mitochondria_reach_um, 60);
    if (at) strand.add({*at, *at, radius, radius});
  }
  if (!strand.empty())
    all.push_back({std::move(strand), spec.granule_photons_per_um3, Structure::vesicle, false});
}

std::vector<Vacuole> draw_vacuoles(const AdherentSpec& spec, const AdherentInterior& cell,
                                   std::uint64_t seed, std::int64_t number) {
  std::vector<Vacuole> vacuoles;
  for (std::int64_t i = 0; i < cell.scaled(spec.vacuoles); ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::vacuoles, i);
    const double radius = spec.vacuole_radius_um * portable::exp(0.4 * bell(draws.block(201)));
    const auto at = place_in(cell, draws, 0.4, 2 * spec.mitochondria_reach_um, 60);
    if (!at) continue;
    // As high as the cell, less a rim
    const double height = cell.height({(*at)[1], (*at)[2]});
    const double half = std::max(0.2, std::min(radius, 0.42 * height));
    vacuoles.push_back({{cell.glass_um + height / 2, (*at)[1], (*at)[2]}, radius, half});
  }
  return vacuoles;
}

std::int64_t most_adherent_pieces::of_mitochondria(const AdherentSpec& spec) {
  // A spine of the mean length has a piece per step in it, two in its walls and one across, and
  // there are round ends
  const double steps = std::min<double>(kMostSpine, 2 * spec.mitochondria_length_um / kSpineUm);
  return kMostScale * spec.mitochondria * (20 + static_cast<std::int64_t>(4 * steps));
}

}  // namespace synthoscope::simulator
