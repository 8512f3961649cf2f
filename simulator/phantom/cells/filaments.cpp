// SPDX-License-Identifier: MIT
// simulator/phantom/cells/filaments.cpp — microtubules, actin and filopodia of a cell.
#include <algorithm>
#include <cmath>
#include "simulator/phantom/cells/organelles.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kStepUm = 0.3, kFibreStepUm = 0.5;
constexpr double kCentrosomeUm = 0.3;  // filaments begin at its surface
constexpr double kWallUm = 0.2;        // least distance from membrane and nucleus
constexpr double kFibreWallUm = 0.1;   // least distance of a bundle's axis from the membrane
constexpr std::int64_t kFilopodiumSteps = 10;
constexpr std::int64_t kWholeCell = 65535;  // element that all filaments of a cell share

std::vector<double> even(std::size_t count, double radius) {
  return std::vector<double>(count, radius);
}

/// Returns an upper bound of the semi-axes of all cells.
double most_reach_um(const CellsSpec& spec) {
  const auto [z, y, x] = spec.axis_ratios;
  return spec.radius_um * (1 + kMaxBell * spec.radius_spread) * std::max({z, y, x}) /
         cube_root(z * y * x);
}

double longest_um(const CellInterior& interior) {
  const Vector3& axes = interior.surface.form().semi_axes_um;
  return std::max({axes[0], axes[1], axes[2]});
}

/// Returns a place 0.8 um outside the nucleus with space around it; the origin without a nucleus.
Vector3 centrosome_of(const Draws& draws, const CellInterior& interior) {
  Vector3 place{};
  if (!interior.nucleus) return place;
  double roomiest = -1;
  for (int i = 0; i < 16; ++i) {
    Vector3 u = random_direction(draws.block(i));
    u = unit_vector({0.3 * u[0], u[1], u[2]});
    const Vector3 at = interior.nucleus->surface_point(u);
    const Vector3 there = at + 0.8 * interior.nucleus->depth(at).outward;
    const double depth = interior.surface.depth(there).um;
    if (depth <= roomiest) continue;
    roomiest = depth;
    place = there;
    if (depth > 1.5) break;
  }
  return place;
}

/// Returns how deep bundles lie below the surface of the cell.
double fibre_depth_um(const CellInterior& interior, double radius_um) {
  return interior.membrane_um + std::max(kFibreWallUm, radius_um);
}

/// Returns the lowest point at (y, x) that lies depth_um below the surface; nothing outside the
/// cell.
std::optional<Vector3> floor_at(const CellInterior& interior, double depth_um, double y, double x) {
  const auto is_inside = [&](double z) {
    return interior.surface.contains({z, y, x}) && interior.surface.depth({z, y, x}).um >= depth_um;
  };
  double high = 0, low = -interior.surface.bounding_radius_um();
  if (!is_inside(high)) return std::nullopt;
  for (int i = 0; i < 24; ++i) {
    const double middle = (low + high) / 2;
    (is_inside(middle) ? high : low) = middle;
  }
  return Vector3{high, y, x};
}

std::vector<Vector3> stress_fibre(const CellInterior& interior, double depth_um,
                                  const PhiloxBlock& of_cell, const PhiloxBlock& words) {
  // Directions within some 15 degrees of the cell's own, which lies near its long axis
  const double lean = 0.5 * (2 * uniform32(of_cell[0]) - 1) + 0.25 * (2 * uniform32(words[0]) - 1);
  const Vector3 along = unit_vector({0, lean, 1}), aside{0, along[2], -along[1]};
  const double reach = longest_um(interior);
  const double offset =
      0.85 * interior.surface.form().semi_axes_um[1] * (2 * uniform32(words[1]) - 1);
  const double begin = -reach * (0.3 + 0.9 * uniform32(words[2]));
  const double end = reach * (0.3 + 0.9 * uniform32(words[3]));
  std::vector<Vector3> points;
  for (double s = begin; s < end; s += kFibreStepUm) {
    const Vector3 flat = s * along + offset * aside;
    const auto point = floor_at(interior, depth_um, flat[1], flat[2]);
    if (point)
      points.push_back(*point);
    else if (!points.empty())
      break;
  }
  return points;
}

std::vector<Vector3> cortical_fibre(const CellInterior& interior, double depth_um,
                                    const PhiloxBlock& place, const PhiloxBlock& words) {
  const auto under_membrane = [&](const Vector3& u) {
    const Vector3 at = interior.surface.surface_point(u);
    return at - (1.5 * depth_um) * interior.surface.depth(at).outward;
  };
  Vector3 u = random_direction(place);
  u = unit_vector({0.4 * u[0], u[1], u[2]});
  const Vector3 one = across(u), other = cross(u, one);
  const double turn = 2 * uniform32(words[0]) - 1;
  Vector3 way = unit_vector(one + (3 * turn) * other);
  const double length = longest_um(interior) * (0.4 + 0.8 * uniform32(words[1]));
  std::vector<Vector3> points{under_membrane(u)};
  for (double gone = 0; gone < length; gone += kFibreStepUm) {
    // Steps of equal length on the surface are not equal on the sphere
    const Vector3 trial = under_membrane(unit_vector(u + 0.01 * way)) - points.back();
    const double per = std::sqrt(dot(trial, trial)) / 0.01;
    const Vector3 next = unit_vector(u + (kFibreStepUm / per) * way);
    way = unit_vector(way - dot(way, next) * next);
    u = next;
    points.push_back(under_membrane(u));
  }
  return points;
}

}  // namespace

Strand draw_microtubules(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                         const CellInterior& interior) {
  const Walk walk{kStepUm, spec.microtubule_persistence_um, kWallUm};
  const auto draws_of = [&](std::int64_t element) {
    return organelle_draws(seed, number, Structure::microtubule, element);
  };
  const Vector3 centre = centrosome_of(draws_of(kWholeCell), interior);
  Strand strand;
  for (std::int64_t i = 0; i < spec.microtubules; ++i) {
    const Draws draws = draws_of(i);
    for (int attempt = 0; attempt < 16; ++attempt) {
      const auto words = draws.block(attempt);
      const Vector3 direction = random_direction(words);
      const Vector3 start = centre + kCentrosomeUm * direction;
      if (!interior.holds(start, 0)) continue;
      const double length = longest_um(interior) * (0.8 + 0.6 * uniform32(words[3]));
      const auto points = walked(interior, draws, kWayDraw, start, direction,
                                 static_cast<std::int64_t>(length / kStepUm), walk);
      strand.add_chain(points, even(points.size(), kMicrotubuleRadiusUm));
      break;
    }
  }
  return strand;
}

Strand draw_actin(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                  const CellInterior& interior) {
  const auto draws_of = [&](std::int64_t element) {
    return organelle_draws(seed, number, Structure::actin, element);
  };
  const auto of_cell = draws_of(kWholeCell).block(0);
  const double depth_um = fibre_depth_um(interior, spec.actin_radius_um);
  Strand strand;
  for (std::int64_t i = 0; i < spec.actin_fibres; ++i) {
    const Draws draws = draws_of(i);
    const auto points = i % 3 == 2
                            ? cortical_fibre(interior, depth_um, draws.block(0), draws.block(1))
                            : stress_fibre(interior, depth_um, of_cell, draws.block(0));
    strand.add_chain(points, even(points.size(), spec.actin_radius_um));
  }
  return strand;
}

Strand draw_filopodia(const CellsSpec& spec, std::uint64_t seed, std::int64_t number,
                      const CellInterior& interior) {
  Strand strand;
  for (std::int64_t i = 0; i < spec.filopodia; ++i) {
    const Draws draws = organelle_draws(seed, number, Structure::filopodium, i);
    Vector3 u = random_direction(draws.block(0));
    u = unit_vector({0.25 * u[0], u[1], u[2]});
    const auto words = draws.block(1);
    const Vector3 base = interior.surface.surface_point(u),
                  out = interior.surface.depth(base).outward;
    Vector3 ahead = unit_vector({0.4 * out[0], out[1], out[2]});
    const double length = spec.filopodium_length_um * (0.5 + uniform32(words[0]));
    const double step = length / kFilopodiumSteps;
    std::vector<Vector3> points{base - spec.filopodium_radius_um * out};
    std::vector<double> radii{spec.filopodium_radius_um};
    for (std::int64_t s = 1; s <= kFilopodiumSteps; ++s) {
      const Vector3 kick = random_direction(draws.block(kWayDraw + static_cast<int>(s)));
      ahead = unit_vector(ahead + std::sqrt(step / 10) * Vector3{0.3 * kick[0], kick[1], kick[2]});
      points.push_back(points.back() + step * ahead);
      radii.push_back(spec.filopodium_radius_um *
                      (1 - 0.6 * static_cast<double>(s) / kFilopodiumSteps));
    }
    strand.add_chain(points, radii);
  }
  return strand;
}

std::int64_t most_pieces::of_microtubules(const CellsSpec& spec) {
  return spec.microtubules * static_cast<std::int64_t>(1.4 * most_reach_um(spec) / kStepUm + 1);
}

std::int64_t most_pieces::of_actin(const CellsSpec& spec) {
  return spec.actin_fibres *
         static_cast<std::int64_t>(2.4 * most_reach_um(spec) / kFibreStepUm + 2);
}

std::int64_t most_pieces::of_filopodia(const CellsSpec& spec) {
  return spec.filopodia * kFilopodiumSteps;
}

}  // namespace synthoscope::simulator
