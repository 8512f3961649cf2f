// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/fibre_field.hpp — where stress fibres of a spread cell begin, in which
// direction they run, and paths along it and along edges.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>
#include "simulator/phantom/adherent/adherent_organelles.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {

/// Distance between two points of a path.
inline constexpr double kTraceStepUm = 1;

/// Distance from the border at which fibres end.
inline constexpr double kRimUm = 0.3;

inline Point2 shifted(const Point2& p, double um, const Point2& way) {
  return {p[0] + um * way[0], p[1] + um * way[1]};
}

/// Returns v with a length of 1, or `otherwise` if it has none.
inline Point2 normalised(const Point2& v, const Point2& otherwise) {
  const double square = v[0] * v[0] + v[1] * v[1];
  if (square < 1e-20) return otherwise;
  const double length = std::sqrt(square);
  return {v[0] / length, v[1] / length};
}

/// The direction of fibres at each place: along the cell, along a border that is near, and in
/// domains that turn away from it. Sheets of dense parallel fibres alternate with places where
/// fewer fibres cross.
class FibreField {
 public:
  /// @param cell  must outlive the field
  FibreField(const AdherentInterior& cell, const Draws& draws)
      : cell_{cell},
        turn_{seed_of(draws, 0), 60, 2},
        other_turn_{seed_of(draws, 1), 60, 2},
        density_{seed_of(draws, 2), 34, 3},
        order_{seed_of(draws, 3), 44, 2} {}

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
    const double domain = 0.3 + 1 * (1 - order(p));
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
    const double t = 0.2 + 0.45 * order(p) + 0.4 * density_(own_place(p));
    return std::min(1.0, std::max(0.06, t));
  }

  /// Returns 1 where fibres are long and parallel, 0 where they are short and crossed.
  [[nodiscard]] double order(const Point2& p) {
    return std::min(1.0, std::max(0.0, 0.6 + 1.2 * order_(own_place(p))));
  }

 private:
  static std::uint64_t seed_of(const Draws& draws, int draw) {
    const auto words = draws.block(draw);
    return (std::uint64_t{words[0]} << 32) | words[1];
  }
  [[nodiscard]] Vector3 own_place(const Point2& p) const {
    return {0, p[0] - cell_.middle[0], p[1] - cell_.middle[1]};
  }
  const AdherentInterior& cell_;
  Texture turn_, other_turn_, density_, order_;
};

/// Returns the path that follows the field from a point, without that point: for at most `um`,
/// within the cell, and until it has turned by 40 degrees.
/// @param sign  1 or -1: which way it sets out
/// @param lean  the tangent of the angle to the field's direction
inline std::vector<Point2> followed(FibreField& field, const AdherentInterior& cell,
                                    const Point2& start, double sign, double um, double lean = 0) {
  constexpr double kInertia = 0.3, kLeastCosine = 0.766;
  const auto leaning = [&](const Point2& p) {
    const Point2 along = field.direction(p);
    return normalised({along[0] + lean * along[1], along[1] - lean * along[0]}, along);
  };
  std::vector<Point2> points;
  Point2 at = start;
  const Point2 first = shifted({0, 0}, sign, leaning(start));
  Point2 way = first;
  for (double gone = 0; gone < um; gone += kTraceStepUm) {
    Point2 next = leaning(at);
    if (next[0] * way[0] + next[1] * way[1] < 0) next = {-next[0], -next[1]};
    way = normalised(shifted(way, kInertia, next), way);
    at = shifted(at, kTraceStepUm, way);
    const bool has_turned = way[0] * first[0] + way[1] * first[1] < kLeastCosine;
    if (has_turned || cell.distance(at) < kRimUm) break;
    points.push_back(at);
  }
  return points;
}

/// Returns a line along an arc of the outline from point `begin` to `end`, `inset_um` inside the
/// border, whose irregularities are evened out.
inline std::vector<Point2> path_along(const std::vector<Point2>& arc, const AdherentInterior& cell,
                                      std::size_t begin, std::size_t end, double inset_um) {
  constexpr std::size_t kNear = 10;
  const auto place = [&](std::size_t i) { return shifted(cell.middle, 1, arc[i]); };
  std::vector<double> outside;  // how far the arc lies outside the border
  for (std::size_t i = 0; i < arc.size(); ++i)
    outside.push_back(-std::min(0.0, cell.distance(place(i))));
  std::vector<Point2> path;
  for (std::size_t i = begin; i < end; i += 2) {
    const std::size_t low = i > kNear ? i - kNear : 0, high = std::min(arc.size(), i + kNear + 1);
    double sum = 0;
    for (std::size_t k = low; k < high; ++k) sum += outside[k];
    const Point2 p = place(i);
    path.push_back(shifted(p, inset_um + sum / static_cast<double>(high - low), cell.inwards(p)));
  }
  return path;
}

}  // namespace synthoscope::simulator
