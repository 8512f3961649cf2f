// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_mitochondria.cpp — hollow mitochondria, granules, vacuoles.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include "core/math/elementary.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kFlatUm = 0.35;  // half height of the widest mitochondria

/// How dense organelles are at a point, relative to the most: half at `reach_um` from the nucleus;
/// farther on the side that `side` points to, and nearer on the other.
struct NearNucleus {
  double reach_um = 1;
  Point2 side{};  ///< of a length below 1

  [[nodiscard]] double at(const AdherentInterior& cell, const Point2& p) const {
    const double y = p[0] - cell.middle[0], x = p[1] - cell.middle[1];
    const double radius = cell.nucleus ? 0.4 * cell.nucleus->bounding_radius_um() : 0;
    const double distance = std::sqrt(y * y + x * x);
    const double turn = distance > 0 ? (y * side[0] + x * side[1]) / distance : 0;
    const double away = std::max(0.0, distance - radius) / (reach_um * (1 + turn));
    return 1 / (1 + away * away * away * away);
  }
};

/// Where organelles of a kind lie.
struct OrganellePlaces {
  NearNucleus near;
  double layer_um = 1e300;  ///< range of the heights of their middles
};

/// Returns a place in the cytoplasm with `margin_um` around it for which `is_free(place)` holds;
/// nothing if none is found.
template <class IsFree>
std::optional<Vector3> place_in(const AdherentInterior& cell, const Draws& draws, double margin_um,
                                const OrganellePlaces& places, int tries, IsFree&& is_free) {
  constexpr double kAnywhere = 0.04;  // share that lies all over the cell
  for (int i = 0; i < tries; ++i) {
    const auto words = draws.block(i);
    const Point2 p = cell.anywhere(uniform32(words[0]), uniform32(words[1]));
    const double height = cell.height(p);
    if (height < 2 * margin_um || cell.distance(p) < 1.5 * margin_um) continue;
    if (uniform32(words[2]) > kAnywhere + (1 - kAnywhere) * places.near.at(cell, p)) continue;
    const double range = std::min(places.layer_um, height - 2 * margin_um);
    const Vector3 at{cell.glass_um + margin_um + uniform32(words[3]) * range, p[0], p[1]};
    if (cell.holds(at, margin_um) && is_free(at)) return at;
  }
  return std::nullopt;
}

/// Points of mitochondria with their half widths, found by place.
class TakenByMitochondria {
 public:
  TakenByMitochondria(const HeightMap& map, double widest_um)
      : edge_{std::max(1.0, 2 * widest_um)}, y_{map.y_um}, x_{map.x_um} {
    rows_ = static_cast<std::int64_t>(map.rows * map.step_um / edge_) + 1;
    columns_ = static_cast<std::int64_t>(map.columns * map.step_um / edge_) + 1;
    at_.resize(static_cast<std::size_t>(rows_ * columns_));
  }
  [[nodiscard]] bool is_free(const Vector3& p, double half_um) const {
    const auto row = index(p[1] - y_, rows_), column = index(p[2] - x_, columns_);
    for (auto r = std::max<std::int64_t>(0, row - 1); r <= std::min(rows_ - 1, row + 1); ++r)
      for (auto c = std::max<std::int64_t>(0, column - 1); c <= std::min(columns_ - 1, column + 1);
           ++c)
        for (const auto& [other, half] : at_[static_cast<std::size_t>(r * columns_ + c)]) {
          const Vector3 from = p - other;
          const double least = kTouching * (half_um + half);
          if (from[1] * from[1] + from[2] * from[2] < least * least) return false;
        }
    return true;
  }
  void take(const MitochondrionSpine& spine) {
    for (std::size_t i = 0; i < spine.points.size(); ++i) {
      const Vector3& p = spine.points[i];
      const auto row = index(p[1] - y_, rows_), column = index(p[2] - x_, columns_);
      at_[static_cast<std::size_t>(row * columns_ + column)].push_back({p, spine.half_widths[i]});
    }
  }

 private:
  static constexpr double kTouching = 0.75;  // of both half widths
  [[nodiscard]] std::int64_t index(double um, std::int64_t count) const {
    const double place = std::floor(um / edge_);
    return static_cast<std::int64_t>(std::clamp(place, 0.0, static_cast<double>(count - 1)));
  }
  double edge_, y_, x_;
  std::int64_t rows_ = 0, columns_ = 0;
  std::vector<std::vector<std::pair<Vector3, double>>> at_;
};

/// Returns a free place next to an earlier mitochondrion, which it touches; nothing if none is
/// found.
template <class IsFree>
std::optional<Vector3> place_beside(const std::vector<MitochondrionSpine>& earlier, double half_um,
                                    const Draws& draws, IsFree&& is_free) {
  constexpr int kTries = 8, kFirstDraw = 220;
  for (int i = 0; i < kTries && !earlier.empty(); ++i) {
    const auto words = draws.block(kFirstDraw + i);
    const auto& spine = earlier[words[0] % earlier.size()];
    const std::size_t point = words[1] % spine.points.size();
    const auto [cosine, sine] = portable::cosine_and_sine(uniform32(words[2]));
    const double away = (0.95 + 0.3 * uniform32(words[3])) * (spine.half_widths[point] + half_um);
    const Vector3 at = spine.points[point] + away * Vector3{0, sine, cosine};
    if (is_free(at, half_um)) return at;
  }
  return std::nullopt;
}

/// Returns how dense the mitochondria of a cell are.
NearNucleus near_of(const AdherentSpec& spec, std::uint64_t seed, std::int64_t cell) {
  const auto words = adherent_draws(seed, cell, AdherentPart::side).block(0);
  const auto [cosine, sine] = portable::cosine_and_sine(uniform32(words[0]));
  return {spec.mitochondria_reach_um,
          {spec.mitochondria_side * sine, spec.mitochondria_side * cosine}};
}

constexpr auto everywhere_free = [](const Vector3&) { return true; };

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
  std::vector<MitochondrionSpine> earlier;
  TakenByMitochondria taken{cell.heights, 3 * spec.mitochondria_radius_um};
  const OrganellePlaces places{near_of(spec, seed, number), spec.organelle_layer_um};
  std::int64_t left = most_adherent_pieces::of_mitochondria(spec);
  for (std::int64_t i = 0; i < cell.scaled(spec.mitochondria); ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::mitochondria, i);
    const MitochondrionForm form =
        draw_mitochondrion_form(spec.mitochondria_length_um, spec.mitochondria_radius_um, draws);
    const auto is_free = [&](const Vector3& p, double half) {
      return cell.holds(p, std::min(0.9 * half, kFlatUm)) && taken.is_free(p, half);
    };
    const auto words = draws.block(206);
    const double end_half = form.half * form.first;
    std::optional<Vector3> start;
    if (uniform32(words[0]) < spec.mitochondria_together)
      start = place_beside(earlier, end_half, draws, is_free);
    if (!start)
      start = place_in(cell, draws, std::min(form.half, kFlatUm), places, 200,
                       [&](const Vector3& p) { return is_free(p, end_half); });
    if (!start) continue;
    const MitochondrionSpine spine = draw_spine(form, *start, is_free, draws);
    left -= most_pieces_of(spine);
    if (left < 0) break;
    taken.take(spine);
    const auto level =
        static_cast<std::size_t>(static_cast<double>(kWallStrands) * uniform32(words[1]));
    add_mitochondrion(form, spine, draws, walls[level], inside);
    earlier.push_back(spine);
  }
  constexpr double kFactors[kWallStrands] = {0.76, 0.91, 1.09, 1.3};
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
    const OrganellePlaces places{{1.5 * spec.mitochondria_reach_um}, spec.organelle_layer_um};
    const auto at = place_in(cell, draws, radius, places, 60, everywhere_free);
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
    const auto at =
        place_in(cell, draws, 0.4, {{2 * spec.mitochondria_reach_um}}, 60, everywhere_free);
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
  const double steps =
      std::min<double>(kMostSpinePoints, 2 * spec.mitochondria_length_um / kSpineStepUm);
  return kMostScale * spec.mitochondria * (32 + static_cast<std::int64_t>(7 * steps));
}

}  // namespace synthoscope::simulator
