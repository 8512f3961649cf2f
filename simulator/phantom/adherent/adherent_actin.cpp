// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_actin.cpp — stress fibres, edges, mesh and retraction fibres.
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kTraceStepUm = 0.7;
constexpr double kVentralUm = 0.12;  // axis of a thin fibre above the glass
constexpr double kRimUm = 0.3;       // fibres end so far from the border
constexpr std::int64_t kPiecesOfFibre = 6, kPiecesOfMesh = 8, kPiecesOfRetraction = 8;

std::uint64_t noise_seed(const Draws& draws, int draw) {
  const auto words = draws.block(draw);
  return (std::uint64_t{words[0]} << 32) | words[1];
}

Point2 shifted(const Point2& p, double um, const Point2& way) {
  return {p[0] + um * way[0], p[1] + um * way[1]};
}
Point2 normalised(const Point2& v, const Point2& otherwise) {
  const double square = v[0] * v[0] + v[1] * v[1];
  if (square < 1e-20) return otherwise;
  const double length = std::sqrt(square);
  return {v[0] / length, v[1] / length};
}

/// The direction of fibres at each place: along the cell, along a border that is near, and in
/// domains that turn away from it.
class FibreField {
 public:
  FibreField(const AdherentInterior& cell, const Draws& draws)
      : cell_{cell},
        turn_{noise_seed(draws, 0), 18, 2},
        other_turn_{noise_seed(draws, 1), 18, 2},
        density_{noise_seed(draws, 2), 24, 3},
        order_{noise_seed(draws, 3), 26, 2} {}

  /// Returns a direction; its sign has no meaning.
  [[nodiscard]] Point2 direction(const Point2& p) {
    const Vector3 own = own_place(p);
    // Directions without sign add up as vectors of twice the angle, (x^2 - y^2, 2 x y)
    double same = 0, mixed = 0;
    const auto add = [&](double weight, const Point2& way) {
      same += weight * (way[1] * way[1] - way[0] * way[0]);
      mixed += weight * 2 * way[0] * way[1];
    };
    const Point2& axis = cell_.outline->axis;
    add(1, axis);
    const Point2 in = cell_.inwards(p);
    const double near = cell_.distance(p) / 3;
    add(2.2 / (1 + near * near), {in[1], -in[0]});
    const double domain = 0.45 + 0.8 * (1 - order(p));
    same += domain * turn_(own);
    mixed += domain * other_turn_(own);
    const double length = std::sqrt(same * same + mixed * mixed);
    if (length < 1e-12) return axis;
    const double x = std::sqrt(std::max(0.0, (1 + same / length) / 2));
    const double y = std::sqrt(std::max(0.0, (1 - same / length) / 2));
    return {mixed < 0 ? -y : y, x};
  }

  /// Returns how many fibres begin at a place, relative to the most, 0 ... 1.
  [[nodiscard]] double density(const Point2& p) {
    const double t = 0.5 + 0.65 * density_(own_place(p));
    return std::min(1.0, std::max(0.2, t));
  }

  /// Returns 1 where fibres are long and parallel, 0 where they are short and crossed.
  [[nodiscard]] double order(const Point2& p) {
    return std::min(1.0, std::max(0.0, 0.55 + 1.1 * order_(own_place(p))));
  }

 private:
  [[nodiscard]] Vector3 own_place(const Point2& p) const {
    return {0, p[0] - cell_.middle[0], p[1] - cell_.middle[1]};
  }
  const AdherentInterior& cell_;
  Texture turn_, other_turn_, density_, order_;
};

/// Follows the field from a point, for at most `um` and within the cell. @param lean  the tangent
/// of the angle to the field's direction
std::vector<Point2> followed(FibreField& field, const AdherentInterior& cell, const Point2& start,
                             double sign, double um, double lean = 0) {
  std::vector<Point2> points;
  Point2 at = start;
  const auto leaning = [&](const Point2& p) {
    const Point2 along = field.direction(p);
    return normalised({along[0] + lean * along[1], along[1] - lean * along[0]}, along);
  };
  const Point2 first = leaning(start);

  Point2 way{sign * first[0], sign * first[1]};
  for (double gone = 0; gone < um; gone += kTraceStepUm) {
    Point2 next = leaning(at);
    if (next[0] * way[0] + next[1] * way[1] < 0) next = {-next[0], -next[1]};
    way = normalised({way[0] + 0.35 * next[0], way[1] + 0.35 * next[1]}, way);
    at = shifted(at, kTraceStepUm, way);
    if (cell.distance(at) < kRimUm) break;
    points.push_back(at);
  }
  return points;
}

/// Adds chains of fibres to strands until a bound of pieces.
class FibreMaker {
 public:
  FibreMaker(const AdherentInterior& cell, std::vector<Strand>& strands, std::int64_t most)
      : cell_{cell}, strands_{strands}, left_{most} {}

  /// Adds a fibre of a radius through points of the glass. It gets thinner towards its ends and is
  /// a little beaded.
  /// @param height  0 at the lower side of the cell, 1 at the upper one
  void add(std::size_t strand, const std::vector<Point2>& path, double radius, double height,
           const Draws& draws) {
    constexpr double kEndUm = 2.5;
    std::vector<Vector3> points;
    std::vector<double> radii;
    const auto flush = [&] {
      const auto pieces = std::ssize(points) - 1;
      if (pieces >= 1 && pieces <= left_) {
        strands_[strand].add_chain(points, radii);
        left_ -= pieces;
      }
      points.clear();
      radii.clear();
    };
    for (std::size_t i = 0; i < path.size(); ++i) {
      const double from_end =
          kTraceStepUm * static_cast<double>(std::min(i, path.size() - 1 - i)) / kEndUm;
      const double bead = uniform32(draws.block(64 + static_cast<int>(i % 2048))[0]);
      const double room = cell_.height(path[i]);
      const double its = std::min(
          0.46 * room, radius * (0.45 + 0.55 * std::min(1.0, from_end)) * (0.72 + 0.56 * bead));
      const double top = room - its, low = kVentralUm + its;
      if (room < 0.06) {
        flush();
        continue;
      }
      const double z = std::min(top, low + height * std::max(0.0, top - low));
      points.push_back({cell_.glass_um + z, path[i][0], path[i][1]});
      radii.push_back(its);
    }
    flush();
  }

 private:
  const AdherentInterior& cell_;
  std::vector<Strand>& strands_;
  std::int64_t left_;
};

double log_normal(double median, double spread, const PhiloxBlock& words) {
  return median * portable::exp(spread * bell(words));
}

/// Adds a bundle of fibres along one path. They leave and join it at small angles.
/// @returns their number
std::int64_t add_bundle(const AdherentSpec& spec, FibreField& field, const AdherentInterior& cell,
                        const Draws& draws, std::int64_t most, FibreMaker& maker) {
  std::optional<Point2> start;
  for (int i = 0; i < 24 && !start; ++i) {
    const auto words = draws.block(i);
    const Point2 p = cell.anywhere(uniform32(words[0]), uniform32(words[1]));
    if (cell.distance(p) > kRimUm && uniform32(words[2]) < field.density(p)) start = p;
  }
  if (!start) return 1;
  const double order = field.order(*start);
  const double longest =
      spec.fibre_length_um * (0.45 + 0.75 * order) * portable::exp(0.55 * bell(draws.block(24)));
  const double lean = 0.14 * (2 - order) * bell(draws.block(26));
  std::vector<Point2> path = followed(field, cell, *start, -1, longest / 2, lean);
  std::reverse(path.begin(), path.end());
  path.push_back(*start);
  const auto ahead = followed(field, cell, *start, 1, longest / 2, lean);
  path.insert(path.end(), ahead.begin(), ahead.end());
  if (path.size() < 3) return 1;

  const auto words = draws.block(25);
  const auto count = std::min<std::int64_t>(
      most, 1 + static_cast<std::int64_t>(6 * uniform32(words[0]) * uniform32(words[1]) * 2));
  const double height_of_all = uniform32(words[2]) < 0.12 ? 0.9 : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const int first = 4096 + 8 * static_cast<int>(i);
    const auto its = draws.block(first), more = draws.block(first + 1);
    const double width = 0.5 + 0.35 * static_cast<double>(count);
    const double from = i == 0 ? 0 : width * (uniform32(its[0]) - 0.5) * 2;
    const double to = from + (i == 0 ? 0 : (2 - order) * 1.6 * (uniform32(its[1]) - 0.5) * 2);
    const auto size = static_cast<double>(path.size());
    const auto begin = static_cast<std::size_t>(i == 0 ? 0 : 0.5 * size * uniform32(its[2]));
    const auto end =
        path.size() - static_cast<std::size_t>(i == 0 ? 0 : 0.45 * size * uniform32(its[3]));
    std::vector<Point2> beside;
    for (std::size_t k = begin; k < end; ++k) {
      const Point2 &a = path[k > 0 ? k - 1 : 0], &b = path[std::min(k + 1, path.size() - 1)];
      const Point2 way = normalised({b[0] - a[0], b[1] - a[1]}, {0, 1});
      const double t = static_cast<double>(k) / size;
      beside.push_back(shifted(path[k], from + t * (to - from), {way[1], -way[0]}));
    }
    if (beside.size() < 2) continue;
    const double radius =
        log_normal(spec.fibre_radius_um, spec.fibre_spread, draws.block(first + 2)) *
        (i == 0 ? 1.1 : 0.9);
    const auto strand =
        static_cast<std::size_t>(static_cast<double>(kFibreStrands) * uniform32(more[0]));
    maker.add(strand, beside, radius, std::max(height_of_all, 0.12 * uniform32(more[1])),
              {draws.stream, draws.number + (std::uint64_t{1} << 17)});
  }
  return count;
}

void add_edges(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
               std::int64_t number, FibreMaker& maker) {
  for (std::size_t arc = 0; arc < cell.outline->arcs.size(); ++arc)
    for (std::int64_t i = 0; i < spec.edge_fibres; ++i) {
      const Draws draws = adherent_draws(seed, number, AdherentPart::edge_fibres,
                                         1000 * static_cast<std::int64_t>(arc) + i);
      const auto words = draws.block(0);
      const auto& all = cell.outline->arcs[arc];
      const double size = static_cast<double>(all.size());
      const double inset = 0.42 + 0.35 * static_cast<double>(i) + 0.3 * uniform32(words[0]);
      const auto begin = static_cast<std::size_t>(i == 0 ? 0 : 0.3 * size * uniform32(words[1]));
      const auto end =
          static_cast<std::size_t>(i == 0 ? size : size * (1 - 0.3 * uniform32(words[2])));
      std::vector<Point2> path;
      for (std::size_t k = begin; k < end; k += 2) {
        const Point2 p{all[k][0] + cell.middle[0], all[k][1] + cell.middle[1]};
        const Point2 in = cell.inwards(p);
        path.push_back(shifted(p, inset - std::min(0.0, cell.distance(p)), in));
      }
      if (path.size() < 3) continue;
      const double radius =
          spec.fibre_radius_um * (i == 0 ? 3.2 : 1.8) * portable::exp(0.25 * bell(draws.block(1)));
      maker.add(static_cast<std::size_t>(i) % kFibreStrands, path, radius,
                0.1 * uniform32(words[3]), draws);
    }
}

/// Adds short fibres along the border, at most a micrometre from it.
void add_border(const AdherentSpec& spec, FibreField& field, const AdherentInterior& cell,
                std::uint64_t seed, std::int64_t number, FibreMaker& maker) {
  constexpr std::int64_t kPerEdgeFibre = 30;
  for (std::int64_t i = 0; i < cell.scaled(kPerEdgeFibre * spec.edge_fibres); ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::edge_fibres, 100'000 + i);
    for (int attempt = 0; attempt < 60; ++attempt) {
      const auto words = draws.block(attempt);
      const Point2 p = cell.anywhere(uniform32(words[0]), uniform32(words[1]));
      if (!(cell.distance(p) > 0.25 && cell.distance(p) < 1.2)) continue;
      auto path = followed(field, cell, p, 1, 2 + 8 * uniform32(words[2]));
      path.insert(path.begin(), p);
      if (path.size() > 2)
        maker.add(static_cast<std::size_t>(i) % kFibreStrands, path,
                  log_normal(spec.fibre_radius_um, 0.3, draws.block(60)), 0.3 * uniform32(words[3]),
                  draws);
      break;
    }
  }
}

void add_mesh(const AdherentSpec& spec, FibreField& field, const AdherentInterior& cell,
              std::uint64_t seed, std::int64_t number, FibreMaker& maker) {
  for (std::int64_t i = 0; i < cell.scaled(spec.mesh_filaments); ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::mesh, i);
    for (int attempt = 0; attempt < 12; ++attempt) {
      const auto words = draws.block(attempt);
      const Point2 p = cell.anywhere(uniform32(words[0]), uniform32(words[1]));
      if (cell.distance(p) < kRimUm) continue;
      const auto its = draws.block(12), more = draws.block(13);
      // Half of them along the field, the others in any direction
      Point2 way = field.direction(p);
      const auto [cosine, sine] = portable::cosine_and_sine(
          uniform32(its[0]) < 0.4 ? 0.08 * (uniform32(its[1]) - 0.5) : uniform32(its[1]));
      way = {cosine * way[0] + sine * way[1], cosine * way[1] - sine * way[0]};
      const double bend = 0.25 * (uniform32(its[2]) - 0.5);
      const auto steps = 3 + static_cast<int>(6 * uniform32(its[3]) * uniform32(more[0]));
      std::vector<Point2> path{p};
      for (int k = 0; k < steps; ++k) {
        way = normalised({way[0] + bend * way[1], way[1] - bend * way[0]}, way);
        path.push_back(shifted(path.back(), kTraceStepUm, way));
        if (cell.distance(path.back()) < kRimUm) break;
      }
      if (path.size() > 2)
        maker.add(static_cast<std::size_t>(i) % kFibreStrands, path,
                  (uniform32(more[2]) < 0.05 ? 1.8 : 0.75) *
                      log_normal(spec.fibre_radius_um, 0.35, draws.block(14)),
                  uniform32(more[1]) < 0.5 ? 0.1 : 0.95, draws);
      break;
    }
  }
}

}  // namespace

Point2 AdherentInterior::inwards(const Point2& p) const {
  const double e = distances.step_um;
  const Point2 slope{distances.at(p[0] + e, p[1]) - distances.at(p[0] - e, p[1]),
                     distances.at(p[0], p[1] + e) - distances.at(p[0], p[1] - e)};
  return normalised(slope, {0, 0});
}

Point2 AdherentInterior::anywhere(double row, double column) const {
  return {distances.y_um + row * distances.step_um * (distances.rows - 1),
          distances.x_um + column * distances.step_um * (distances.columns - 1)};
}

void add_actin(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
               std::int64_t number, std::vector<StainedStrand>& all) {
  FibreField field{cell, adherent_draws(seed, number, AdherentPart::fibres)};
  std::vector<Strand> strands(kFibreStrands);
  FibreMaker fibres{cell, strands, most_adherent_pieces::of_fibres(spec)};
  const std::int64_t fibre_count = cell.scaled(spec.stress_fibres);
  for (std::int64_t i = 0, bundle = 1; i < fibre_count; ++bundle)
    i += add_bundle(spec, field, cell, adherent_draws(seed, number, AdherentPart::fibres, bundle),
                    fibre_count - i, fibres);
  FibreMaker edges{cell, strands, most_adherent_pieces::of_edges(spec)};
  add_edges(spec, cell, seed, number, edges);
  add_border(spec, field, cell, seed, number, edges);
  FibreMaker mesh{cell, strands, most_adherent_pieces::of_mesh(spec)};
  add_mesh(spec, field, cell, seed, number, mesh);
  const double density =
      spec.actin_photons_per_um / (kPi * spec.fibre_radius_um * spec.fibre_radius_um);
  constexpr double kFactors[kFibreStrands] = {0.7, 0.9, 1.1, 1.3};
  for (std::size_t i = 0; i < strands.size(); ++i)
    if (!strands[i].empty())
      all.push_back({std::move(strands[i]), kFactors[i] * density, Structure::actin, false});
}

void add_retraction_fibres(const AdherentSpec& spec, const AdherentInterior& cell,
                           std::uint64_t seed, std::int64_t number,
                           std::vector<StainedStrand>& all) {
  constexpr double kRadiusUm = 0.06;
  const auto& adhesions = cell.outline->adhesions;
  if (adhesions.empty()) return;
  Strand strand;
  for (std::int64_t i = 0; i < spec.retraction_fibres; ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::retraction, i);
    const auto words = draws.block(0), more = draws.block(1);
    const auto which =
        static_cast<std::size_t>(static_cast<double>(adhesions.size()) * uniform32(words[0]));
    const Adhesion& adhesion = adhesions[which];
    const Point2 out = normalised(adhesion.at, {0, 1}), aside{out[1], -out[0]};
    Point2 at = shifted(shifted(cell.middle, 1, adhesion.at),
                        adhesion.width_um * (uniform32(words[1]) - 0.5), aside);
    for (int k = 0; k < 40 && cell.distance(at) < 0.05; ++k) at = shifted(at, -0.25, out);
    Point2 way = normalised(shifted(out, 0.8 * (uniform32(words[2]) - 0.5), aside), out);
    const double length = spec.retraction_length_um * (0.3 + 1.4 * uniform32(words[3]));
    std::vector<Vector3> points{{cell.glass_um + 0.1, at[0], at[1]}};
    for (std::int64_t k = 0; k < kPiecesOfRetraction; ++k) {
      const double bend = 0.12 * (uniform32(more[static_cast<std::size_t>(k % 4)]) - 0.5);
      way = normalised(shifted(way, bend, {way[1], -way[0]}), way);
      at = shifted(at, length / static_cast<double>(kPiecesOfRetraction), way);
      points.push_back({cell.glass_um + 0.1, at[0], at[1]});
    }
    strand.add_chain(points, std::vector<double>(points.size(), kRadiusUm));
  }
  if (!strand.empty())
    all.push_back({std::move(strand),
                   spec.retraction_photons_per_um / (kPi * kRadiusUm * kRadiusUm),
                   Structure::filopodium, false});
}

std::int64_t most_adherent_pieces::of_fibres(const AdherentSpec& spec) {
  return kMostScale * spec.stress_fibres *
         (kPiecesOfFibre + static_cast<std::int64_t>(spec.fibre_length_um / kTraceStepUm));
}
std::int64_t most_adherent_pieces::of_edges(const AdherentSpec& spec) {
  // 30 along the border, of up to 14 pieces, and one around the cell in steps of 0.8 um
  const auto around = static_cast<std::int64_t>(8 * most_adhesion_um(spec));
  return spec.edge_fibres * (kMostScale * 30 * 14 + around);
}
std::int64_t most_adherent_pieces::of_mesh(const AdherentSpec& spec) {
  return kMostScale * spec.mesh_filaments * kPiecesOfMesh;
}
std::int64_t most_adherent_pieces::of_retraction(const AdherentSpec& spec) {
  return kMostScale * spec.retraction_fibres * kPiecesOfRetraction;
}

}  // namespace synthoscope::simulator
