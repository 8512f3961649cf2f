// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_actin.cpp — stress fibres, edges, mesh and retraction fibres.
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"
#include "simulator/phantom/adherent/fibre_field.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kVentralUm = 0.12;  // axis of a thin fibre above the glass
constexpr std::int64_t kPiecesOfMesh = 5, kPiecesOfRetraction = 8;

struct FibreForm {
  double radius_um = 0;
  double height = 0;         ///< 0 at the lower side of the cell, 1 at the upper one
  double unevenness = 1.8;   ///< of its light along it: the range, relative to the mean, below 2
  double least_room_um = 0;  ///< height that the fibre has where the cell is thinner
};

/// Adds chains of fibres to strands until a bound of pieces.
class FibreMaker {
 public:
  FibreMaker(const AdherentInterior& cell, std::vector<Strand>& strands, std::int64_t most)
      : cell_{cell}, strands_{strands}, left_{most} {}

  /// Adds a fibre through points of the glass. It fades towards its ends, over a third of its
  /// length.
  void add(std::size_t strand, const std::vector<Point2>& path, const FibreForm& form,
           const Draws& draws) {
    const double fade_um = std::max(1.5, 0.35 * kTraceStepUm * static_cast<double>(path.size()));
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
          kTraceStepUm * static_cast<double>(std::min(i, path.size() - 1 - i)) / fade_um;
      const double bead = uniform32(draws.block(64 + static_cast<int>(i % 2048))[0]);
      // Light goes with the square of the radius
      const double light =
          (0.02 + 0.98 * std::min(1.0, from_end)) * (1 + form.unevenness * (bead - 0.5));
      const double room = std::max(form.least_room_um, cell_.height(path[i]));
      const double its = std::min(0.46 * room, form.radius_um * std::sqrt(light));
      const double top = room - its, low = kVentralUm + its;
      if (room < 0.06) {
        flush();
        continue;
      }
      const double z = std::min(top, low + form.height * std::max(0.0, top - low));
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

/// Adds a bundle of fibres along one path. They leave and join it at small angles. Few bundles are
/// long and straight, with a bright fibre in their middle.
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
  constexpr double kCables = 0.006;  // of all bundles
  const bool is_cable = uniform32(draws.block(28)[0]) < kCables;
  const double order = field.order(*start);
  const double longest =
      log_normal(spec.fibre_length_um * (0.45 + 0.75 * order), 0.55, draws.block(24)) *
      (is_cable ? 3 : 1);
  const double lean = (is_cable ? 0.1 : 0.3) * (1.7 - order) * bell(draws.block(26));
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
  const double thickness =
      log_normal(spec.fibre_radius_um, 0.5 * spec.fibre_spread, draws.block(27));
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
    const double bright = i > 0 ? 0.9 : is_cable ? 2 : 1.1;
    const FibreForm form{bright * log_normal(thickness, spec.fibre_spread, draws.block(first + 2)),
                         std::max(height_of_all, 0.12 * uniform32(more[1])),
                         i == 0 && is_cable ? 0.6 : 1.8};
    const auto strand =
        static_cast<std::size_t>(static_cast<double>(kFibreStrands) * uniform32(more[0]));
    maker.add(strand, beside, form,
              {draws.stream, draws.number + (static_cast<std::uint64_t>(1 + i % 7) << 17)});
  }
  return count;
}

/// Adds fibres along concave edges: the outer ones are the thickest and longest.
void add_edges(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
               std::int64_t number, FibreMaker& maker) {
  constexpr double kOuterUm = 0.32, kApartUm = 0.16, kShorter = 0.06;
  for (std::size_t arc = 0; arc < cell.outline->arcs.size(); ++arc)
    for (std::int64_t i = 0; i < spec.edge_fibres; ++i) {
      const Draws draws = adherent_draws(seed, number, AdherentPart::edge_fibres,
                                         1000 * static_cast<std::int64_t>(arc) + i);
      const auto words = draws.block(0);
      const auto& all = cell.outline->arcs[arc];
      const auto size = static_cast<double>(all.size()), order = static_cast<double>(i);
      const double inset = kOuterUm + kApartUm * order * (0.6 + 0.8 * uniform32(words[0]));
      const double shorter = std::min(0.35, kShorter * order);
      const auto path =
          path_along(all, cell, static_cast<std::size_t>(shorter * size * uniform32(words[1])),
                     static_cast<std::size_t>(size * (1 - shorter * uniform32(words[2]))), inset);
      if (path.size() < 3) continue;
      const double radius =
          spec.fibre_radius_um * (i < 3 ? 5 : 2.8) * portable::exp(0.25 * bell(draws.block(1)));
      maker.add(static_cast<std::size_t>(i) % kFibreStrands, path,
                {radius, 0.1 * uniform32(words[3]), 0.5, kVentralUm + 2.2 * radius}, draws);
    }
}

/// Adds short fibres along the border, at most a micrometre from it.
void add_border(const AdherentSpec& spec, FibreField& field, const AdherentInterior& cell,
                std::uint64_t seed, std::int64_t number, FibreMaker& maker) {
  constexpr std::int64_t kPerEdgeFibre = 15;
  for (std::int64_t i = 0; i < cell.scaled(kPerEdgeFibre * spec.edge_fibres); ++i) {
    const Draws draws = adherent_draws(seed, number, AdherentPart::edge_fibres, 100'000 + i);
    for (int attempt = 0; attempt < 60; ++attempt) {
      const auto words = draws.block(attempt);
      const Point2 p = cell.anywhere(uniform32(words[0]), uniform32(words[1]));
      if (!(cell.distance(p) > 0.25 && cell.distance(p) < 1.2)) continue;
      auto path = followed(field, cell, p, 1, 2 + 8 * uniform32(words[2]));
      path.insert(path.begin(), p);
      if (path.size() > 2)
        maker.add(
            static_cast<std::size_t>(i) % kFibreStrands, path,
            {log_normal(spec.fibre_radius_um, 0.3, draws.block(60)), 0.3 * uniform32(words[3])},
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
      const auto steps = 2 + static_cast<int>(4 * uniform32(its[3]) * uniform32(more[0]));
      std::vector<Point2> path{p};
      for (int k = 0; k < steps; ++k) {
        way = normalised({way[0] + bend * way[1], way[1] - bend * way[0]}, way);
        path.push_back(shifted(path.back(), kTraceStepUm, way));
        if (cell.distance(path.back()) < kRimUm) break;
      }
      if (path.size() > 2)
        maker.add(static_cast<std::size_t>(i) % kFibreStrands, path,
                  {(uniform32(more[2]) < 0.04 ? 1.5 : 0.75) *
                       log_normal(spec.fibre_radius_um, 0.35, draws.block(14)),
                   uniform32(more[1]) < 0.5 ? 0.1 : 0.95},
                  draws);
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
  constexpr double kLinesBelow = 1.5;  // fibres lie dense, and most are thinner than a voxel
  constexpr double kFactors[kFibreStrands] = {0.7, 0.9, 1.1, 1.3};
  for (std::size_t i = 0; i < strands.size(); ++i)
    if (!strands[i].empty())
      all.push_back(
          {std::move(strands[i]), kFactors[i] * density, Structure::actin, false, kLinesBelow});
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
  // Fibres have 0.5 to 0.7 of this: most end at a border, or leave their bundle before its end
  return kMostScale * spec.stress_fibres *
         (2 + static_cast<std::int64_t>(0.9 * spec.fibre_length_um / kTraceStepUm));
}
std::int64_t most_adherent_pieces::of_edges(const AdherentSpec& spec) {
  // 15 along the border, of up to 10 pieces, and one around the cell in steps of 0.8 um
  const auto around = static_cast<std::int64_t>(8 * most_adhesion_um(spec));
  return spec.edge_fibres * (kMostScale * 15 * 10 + around);
}
std::int64_t most_adherent_pieces::of_mesh(const AdherentSpec& spec) {
  return kMostScale * spec.mesh_filaments * kPiecesOfMesh;
}
std::int64_t most_adherent_pieces::of_retraction(const AdherentSpec& spec) {
  return kMostScale * spec.retraction_fibres * kPiecesOfRetraction;
}

}  // namespace synthoscope::simulator
