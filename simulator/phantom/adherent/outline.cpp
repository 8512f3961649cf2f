// SPDX-License-Identifier: MIT
#include "simulator/phantom/adherent/outline.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kArcStepUm = 0.4;
constexpr std::size_t kMostAdhesions = 16;

Point2 plus(const Point2& a, double s, const Point2& b) {
  return {a[0] + s * b[0], a[1] + s * b[1]};
}
double distance(const Point2& a, const Point2& b) {
  const double y = b[0] - a[0], x = b[1] - a[1];
  return std::sqrt(y * y + x * x);
}
double length(const Point2& a) {
  return distance({}, a);
}
/// Returns the direction from `a` to `b`; x if they are equal.
Point2 direction(const Point2& a, const Point2& b) {
  const double d = distance(a, b);
  if (d == 0) return {0, 1};
  return {(b[0] - a[0]) / d, (b[1] - a[1]) / d};
}
/// Returns a direction turned by a quarter, from x towards y.
Point2 turned(const Point2& u) {
  return {u[1], -u[0]};
}

/// Draws adhesions around the origin, all at angles that grow.
std::vector<Adhesion> draw_adhesions(const AdherentSpec& spec, const Point2& axis,
                                     std::uint64_t seed, std::int64_t cell) {
  const auto draws_of = [&](std::int64_t i) {
    return adherent_draws(seed, cell, AdherentPart::outline, i);
  };
  const auto words = draws_of(0).block(1);
  const std::int64_t choices = spec.most_adhesions - spec.fewest_adhesions + 1;
  const auto count = spec.fewest_adhesions +
                     static_cast<std::int64_t>(static_cast<double>(choices) * uniform32(words[0]));
  const double size = spec.radius_um * (1 + spec.radius_spread * bell(draws_of(0).block(2)));
  const double stretch = std::sqrt(spec.elongation);
  const double first = uniform32(words[1]);
  std::vector<Adhesion> all;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto its = draws_of(1 + i).block(0), more = draws_of(1 + i).block(1);
    const double turn = first + (static_cast<double>(i) + 0.5 * (uniform32(its[0]) - 0.5)) /
                                    static_cast<double>(count);
    const auto [cosine, sine] = portable::cosine_and_sine(turn);
    // On an ellipse along the axis, some nearer and some farther, few of them far
    const Point2 along{cosine * stretch * axis[0], cosine * stretch * axis[1]};
    const Point2 on = plus(along, sine / stretch, turned(axis));
    Adhesion adhesion;
    adhesion.is_far = uniform32(its[1]) * static_cast<double>(count) < spec.protrusions;
    const double away = size * portable::exp(0.22 * bell(draws_of(1 + i).block(2))) *
                        (adhesion.is_far ? 1.5 + 0.7 * uniform32(its[2]) : 0.95);
    const double most = most_adhesion_um(spec);
    const double scale = std::min(away, most / length(on));
    adhesion.at = {scale * on[0], scale * on[1]};
    const double wide = uniform32(more[0]);
    adhesion.width_um = (adhesion.is_far ? 1.5 + 8 * wide * wide : 1.5 + 5 * wide) * size / 26;
    all.push_back(adhesion);
  }
  return all;
}

/// Returns 1 or -1: the sign of the area between the first two adhesions and the origin.
double orientation_of(const std::vector<Adhesion>& all) {
  const Point2 &a = all[0].at, &b = all[1].at;
  return a[0] * b[1] - a[1] * b[0] > 0 ? 1 : -1;
}

/// Adds an adhesion between two neighbours whose straight edge would pass the origin too closely.
void keep_clear(std::vector<Adhesion>& all, double clear_um) {
  const double least = 1.15 * clear_um;
  for (std::size_t i = 0; i < all.size() && all.size() < 3 * kMostAdhesions; ++i) {
    const Point2 a = all[i].at, b = all[(i + 1) % all.size()].at;
    // The origin lies to the same side of all edges
    const Point2 along = direction(a, b);
    const double away = along[1] * a[0] - along[0] * a[1];
    if (away * orientation_of(all) >= least) continue;
    const Point2 middle = direction({}, plus(direction({}, a), 1, direction({}, b)));
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(i) + 1,
               {{1.5 * least * middle[0], 1.5 * least * middle[1]}, 2, false});
  }
}

/// What an arc must not come near: the origin, and the lines from there to its two adhesions.
struct Obstacle {
  double clear_um = 0;
  std::array<const Adhesion*, 2> ends{};

  [[nodiscard]] bool is_near(const Point2& p) const {
    if (length(p) < clear_um) return true;
    for (const std::size_t i : {0, 1}) {
      if (!ends[i]) continue;
      const Point2 line = direction({}, ends[i]->at), other = ends[1 - i]->at;
      const double side = line[0] * other[1] - line[1] * other[0] > 0 ? 1 : -1;
      if (side * (line[0] * p[1] - line[1] * p[0]) < std::min(1.6, 0.4 * ends[i]->width_um))
        return true;
    }
    return false;
  }
};

/// Returns an arc from `a` to `b` that bends towards the origin, without its last point.
std::vector<Point2> arc(const Point2& a, const Point2& b, double elasticity_um,
                        const Obstacle& obstacle) {
  const double chord = distance(a, b);
  const Point2 along = direction(a, b);
  Point2 inwards = turned(along);
  const Point2 middle{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
  if (inwards[0] * middle[0] + inwards[1] * middle[1] > 0) inwards = {-inwards[0], -inwards[1]};
  const double radius = arc_radius_um(chord, elasticity_um);
  double sag = radius - std::sqrt(std::max(0.0, radius * radius - chord * chord / 4));
  const auto steps = std::max(2, static_cast<int>(std::ceil(chord / kArcStepUm)));
  const auto drawn = [&](double depth) {
    // A parabola through both ends; as good as a circle for flat arcs
    std::vector<Point2> points;
    for (int i = 0; i < steps; ++i) {
      const double t = static_cast<double>(i) / steps;
      points.push_back(plus(plus(a, t * chord, along), 4 * t * (1 - t) * depth, inwards));
    }
    return points;
  };
  std::vector<Point2> points = drawn(sag);
  for (int i = 0; i < 30; ++i) {
    const bool is_near = std::any_of(points.begin(), points.end(),
                                     [&](const Point2& p) { return obstacle.is_near(p); });
    if (!is_near) break;
    sag *= 0.8;
    points = drawn(sag);
  }
  return points;
}

/// Appends the edge from `a` to `b` through small adhesions: a chain of small arcs along a line
/// that bulges outwards by `bulge` times its length.
void add_scallops(const Point2& a, const Point2& b, double mean_um, double bulge,
                  double elasticity_um, const Draws& draws, std::vector<Point2>& points) {
  const double chord = distance(a, b);
  const auto count = std::max(1, static_cast<int>(chord / mean_um));
  const Point2 along = direction(a, b);
  Point2 outwards = turned(along);
  const Point2 middle{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
  if (outwards[0] * middle[0] + outwards[1] * middle[1] < 0)
    outwards = {-outwards[0], -outwards[1]};
  Point2 last = a;
  for (int i = 1; i <= count; ++i) {
    const auto words = draws.block(16 + i);
    const double t =
        i == count ? 1.0 : (i + 0.6 * (uniform32(words[0]) - 0.5)) / static_cast<double>(count);
    const double rough = i == count ? 0 : 0.22 * (uniform32(words[1]) - 0.5) * chord / count;
    const Point2 next = i == count ? b
                                   : plus(plus(a, t * chord, along),
                                          4 * t * (1 - t) * bulge * chord + rough, outwards);
    const auto piece = arc(last, next, elasticity_um, {});
    points.insert(points.end(), piece.begin(), piece.end());
    last = next;
  }
}

}  // namespace

Draws adherent_draws(std::uint64_t seed, std::int64_t cell, AdherentPart part,
                     std::int64_t element) {
  const std::uint64_t index =
      ((64 * static_cast<std::uint64_t>(cell) + static_cast<std::uint64_t>(part)) << 20) +
      static_cast<std::uint64_t>(element);
  return {RandomStream{seed, RandomStage::adherent}, index};
}

double most_adhesion_um(const AdherentSpec& spec) {
  return 2.4 * spec.radius_um * std::sqrt(spec.elongation);
}

double arc_radius_um(double chord_um, double elasticity_um) {
  return std::max(0.55 * chord_um, cube_root(elasticity_um * chord_um * chord_um / 24));
}

CellOutline draw_outline(const AdherentSpec& spec, double clear_um, std::uint64_t seed,
                         std::int64_t cell) {
  CellOutline outline;
  const auto words = adherent_draws(seed, cell, AdherentPart::outline).block(0);
  const auto [cosine, sine] = portable::cosine_and_sine(uniform32(words[0]));
  outline.axis = {sine, cosine};
  outline.adhesions = draw_adhesions(spec, outline.axis, seed, cell);
  keep_clear(outline.adhesions, clear_um);

  const std::size_t count = outline.adhesions.size();
  const auto ends_of = [&](const Adhesion& adhesion) {
    const Point2 across = turned(direction({}, adhesion.at));
    const double half = adhesion.width_um / 2;
    const Point2 one = plus(adhesion.at, half, across), other = plus(adhesion.at, -half, across);
    return std::array<Point2, 2>{one, other};
  };
  // The end of an adhesion that is farther from the next adhesion comes first
  const auto first_and_last = [&](std::size_t i) {
    auto ends = ends_of(outline.adhesions[i]);
    const Point2& next = outline.adhesions[(i + 1) % count].at;
    if (distance(ends[0], next) < distance(ends[1], next)) std::swap(ends[0], ends[1]);
    return ends;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Draws draws =
        adherent_draws(seed, cell, AdherentPart::edges, static_cast<std::int64_t>(i));
    const auto ends = first_and_last(i), next = first_and_last((i + 1) % count);
    add_scallops(ends[0], ends[1], 2.2, 0.12, spec.edge_elasticity_um,
                 {draws.stream, draws.number + 1000}, outline.points);
    const auto its = draws.block(0);
    const bool beside_far =
        outline.adhesions[i].is_far || outline.adhesions[(i + 1) % count].is_far;
    const double chord = distance(ends[1], next[0]);
    if (uniform32(its[0]) < spec.scallops * (beside_far ? 0.3 : 1.0)) {
      add_scallops(ends[1], next[0], 4 + 3 * uniform32(its[1]), 0.1 * uniform32(its[2]),
                   spec.edge_elasticity_um, draws, outline.points);
    } else {
      auto points = arc(ends[1], next[0], spec.edge_elasticity_um,
                        {clear_um, {&outline.adhesions[i], &outline.adhesions[(i + 1) % count]}});
      outline.points.insert(outline.points.end(), points.begin(), points.end());
      points.push_back(next[0]);
      if (chord > 8) outline.arcs.push_back(std::move(points));
    }
  }
  return outline;
}

}  // namespace synthoscope::simulator
