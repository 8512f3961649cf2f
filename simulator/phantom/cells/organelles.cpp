// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/organelles.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace synthoscope::simulator {
namespace {

constexpr double kTubeStepUm = 0.3;
constexpr int kMaxBranches = 6, kDrawsOfBranch = 4096;

std::int64_t steps_of(double length_um) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(length_um / kTubeStepUm));
}

/// Adds the paths of a tube and its branches to a strand.
class Tube {
 public:
  Tube(const CellsSpec& spec, const CellInterior& interior, const Draws& draws, Strand& strand)
      : spec_{spec}, interior_{interior}, draws_{draws}, strand_{strand} {}

  void add(const Vector3& start) {
    const auto words = draws_.block(kWayDraw);
    const Vector3 direction = random_direction(words);
    const double length = spec_.mitochondria_length_um * (0.5 + uniform32(words[3]));
    add_way(0, start, direction, steps_of(length), -1);
  }

 private:
  void add_way(int branch, const Vector3& start, const Vector3& direction, std::int64_t steps,
               std::int32_t before) {
    const int first_draw = kWayDraw + 1 + kDrawsOfBranch * branch;
    constexpr double kPersistenceUm = 3;
    const auto points = walked(interior_, draws_, first_draw, start, direction, steps,
                               {kTubeStepUm, kPersistenceUm, spec_.mitochondria_radius_um});
    std::vector<std::int32_t> pieces;
    for (std::size_t i = 1; i < points.size(); ++i) {
      before = strand_.add(
          {points[i - 1], points[i], radius_at(branch, i - 1), radius_at(branch, i), before});
      pieces.push_back(before);
    }
    if (branch > 0) return;

    // Branch off to the side wherever a draw decides so
    const double chance = spec_.mitochondria_branching * kTubeStepUm;
    for (std::size_t i = 1; i + 1 < points.size() && branches_ < kMaxBranches; ++i) {
      const auto words = draws_.block(kWayDraw + 1 + kDrawsOfBranch * 7 + static_cast<int>(i));
      if (uniform32(words[0]) >= chance) continue;
      const Vector3 ahead = unit_vector(points[i + 1] - points[i]);
      const Vector3 aside = unit_vector(cross(ahead, random_direction({words[1], words[2], 0, 0})));
      const double share = 0.2 + 0.5 * uniform32(words[3]);
      add_way(++branches_, points[i], unit_vector(ahead + 1.5 * aside),
              steps_of(share * spec_.mitochondria_length_um), pieces[i - 1]);
    }
  }

  /// Returns the radius at a point, which varies along the tube.
  [[nodiscard]] double radius_at(int branch, std::size_t point) const {
    const auto words =
        draws_.block(kWayDraw + 1 + kDrawsOfBranch * (8 + branch) + static_cast<int>(point));
    return spec_.mitochondria_radius_um * (0.85 + 0.3 * uniform32(words[0]));
  }

  const CellsSpec& spec_;
  const CellInterior& interior_;
  const Draws& draws_;
  Strand& strand_;
  int branches_ = 0;
};

Strand balls_at(const std::vector<Vector3>& middles, double radius_um) {
  Strand strand;
  for (const Vector3& middle : middles) strand.add({middle, middle, radius_um, radius_um});
  return strand;
}

/// Counts the pieces that continue from none: each begins one organelle.
std::int64_t count_of(Structure structure, std::span<const Cell> cells) {
  std::int64_t count = 0;
  for (const Cell& cell : cells)
    for (const StainedStrand& stained : cell.strands()) {
      if (stained.structure != structure) continue;
      const auto& segments = stained.strand.segments();
      count += std::count_if(segments.begin(), segments.end(),
                             [](const Segment& segment) { return segment.before < 0; });
    }
  return count;
}

}  // namespace

Strand draw_mitochondria(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                         const CellInterior& interior) {
  constexpr double kNearUm = 4;  // distance from the nucleus at which the density is half
  Strand strand;
  for (std::int64_t i = 0; i < spec.mitochondria; ++i) {
    const Draws draws = organelle_draws(seed, number, Structure::mitochondrion, i);
    const auto start = interior.find(draws, [&](const Vector3& p, double uniform) {
      const double away = interior.nucleus ? -interior.nucleus->depth(p).um / kNearUm : 0;
      return interior.holds(p, spec.mitochondria_radius_um) && uniform * (1 + away * away) < 1;
    });
    if (start) Tube{spec, interior, draws, strand}.add(*start);
  }
  return strand;
}

std::vector<Vector3> draw_balls(const CellInterior& interior, std::uint64_t seed,
                                std::int64_t number, Structure structure, const BallsSpec& balls) {
  const auto holds = [&](const Vector3& p) {
    if (balls.place != SpotPlace::nucleus && interior.holds(p, balls.radius_um)) return true;
    return balls.place != SpotPlace::cytoplasm && interior.nucleus_holds(p, balls.radius_um);
  };
  std::vector<Vector3> middles;
  for (std::int64_t i = 0; i < balls.count; ++i) {
    const Draws draws = organelle_draws(seed, number, structure, i);
    auto middle = interior.find(draws, [&](const Vector3& p, double) {
      return holds(p) && interior.lies_below(p, balls.depth_um);
    });
    if (!middle && balls.depth_um > 0)
      middle = interior.find(draws, [&](const Vector3& p, double) { return holds(p); });
    if (middle) middles.push_back(*middle);
  }
  return middles;
}

std::vector<StainedStrand> draw_organelles(const CellsSpec& spec, std::uint64_t seed,
                                           std::int64_t number, const CellInterior& interior,
                                           double spot_depth_um) {
  const auto per_um3 = [](double per_um, double radius) {
    return per_um / (kPi * radius * radius);
  };
  std::vector<StainedStrand> all;
  const auto add = [&](Structure structure, double photons_per_um3, Strand strand) {
    if (!strand.empty())
      all.push_back(
          {std::move(strand), photons_per_um3, structure, structure == Structure::filopodium});
  };
  add(Structure::filopodium, spec.filopodium_photons_per_um3,
      draw_filopodia(spec, seed, number, interior));
  add(Structure::actin, per_um3(spec.actin_photons_per_um, spec.actin_radius_um),
      draw_actin(spec, seed, number, interior));
  add(Structure::microtubule, per_um3(spec.microtubule_photons_per_um, kMicrotubuleRadiusUm),
      draw_microtubules(spec, seed, number, interior));
  add(Structure::mitochondrion, spec.mitochondria_photons_per_um3,
      draw_mitochondria(spec, seed, number, interior));
  add(Structure::vesicle, spec.vesicle_photons_per_um3,
      balls_at(draw_balls(interior, seed, number, Structure::vesicle,
                          {spec.vesicles, spec.vesicle_radius_um}),
               spec.vesicle_radius_um));
  for (const Vector3& middle :
       draw_balls(interior, seed, number, Structure::spot,
                  {spec.spots, spec.spot_radius_um, spec.spots_in, spot_depth_um}))
    add(Structure::spot, spec.spot_photons / ball_um3(spec.spot_radius_um),
        balls_at({middle}, spec.spot_radius_um));
  return all;
}

std::int64_t most_pieces::of_mitochondria(const CellsSpec& spec) {
  return spec.mitochondria * (steps_of(1.5 * spec.mitochondria_length_um) +
                              kMaxBranches * steps_of(0.7 * spec.mitochondria_length_um));
}

std::vector<std::string> missing_organelles(const CellsSpec& spec, std::span<const Cell> cells) {
  struct Kind {
    const char* key;
    Structure structure;
    std::int64_t each;
    const char* remedy;
  };
  const Kind kinds[] = {
      {"mitochondria", Structure::mitochondrion, spec.mitochondria, "mitochondria_radius_um"},
      {"vesicles", Structure::vesicle, spec.vesicles, "vesicle_radius_um"},
      {"spots", Structure::spot, spec.spots, "spot_radius_um"},
  };
  std::vector<std::string> sentences;
  for (const Kind& kind : kinds) {
    const std::int64_t wanted = kind.each * std::ssize(cells);
    const std::int64_t found = count_of(kind.structure, cells);
    if (found < wanted)
      sentences.push_back(fmt::format(
          "cells.{}: {} of {} were placed; a smaller cells.{} or larger cells make room", kind.key,
          found, wanted, kind.remedy));
  }
  return sentences;
}

void warn_of_missing_organelles(const CellsSpec& spec, std::span<const Cell> cells, Log& log) {
  for (const std::string& sentence : missing_organelles(spec, cells)) log.warn(sentence);
}

}  // namespace synthoscope::simulator
