// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/outline.hpp — the outline of a cell that is spread between its
// adhesions, and distances from it.
#pragma once
#include <array>
#include <cstdint>
#include <vector>
#include "simulator/phantom/adherent/adherent_spec.hpp"
#include "simulator/phantom/geometry/draws.hpp"

namespace synthoscope::simulator {

/// A point of the glass, y and x, micrometres.
using Point2 = std::array<double, 2>;

/// Draws of a cell for one purpose. Indices are a contract: (64 * cell + purpose) * 2^20 + element.
enum class AdherentPart : std::uint64_t {
  outline = 0,
  edges = 1,
  place = 2,
  height = 3,
  fibres = 4,
  edge_fibres = 5,
  mesh = 6,
  mitochondria = 7,
  vacuoles = 8,
  granules = 9,
  retraction = 10,
  seeds = 11,
  warp = 12,
  side = 13,
  again = 14,
};
Draws adherent_draws(std::uint64_t seed, std::int64_t cell, AdherentPart part,
                     std::int64_t element = 0);

/// An end of the cell that holds on to the glass.
struct Adhesion {
  Point2 at{};
  double width_um = 0;  ///< across the direction from the nucleus
  bool is_far = false;
};

/// The outline of a cell around its nucleus at the origin.
struct CellOutline {
  std::vector<Adhesion> adhesions;        ///< counterclockwise
  std::vector<Point2> points;             ///< a closed polygon
  std::vector<std::vector<Point2>> arcs;  ///< its long concave edges, from adhesion to adhesion
  Point2 axis{0, 1};                      ///< direction of the long axis
};

/// Draws an outline whose edges stay `clear_um` away from the origin, if its adhesions can be that
/// far.
///
/// Two neighbouring adhesions at a distance d are joined by a circular arc that bends inwards, of
/// radius (l d^2 / 24)^(1/3), l = edge_elasticity_um: tension against elasticity, for arcs that are
/// little longer than their chord.
/// @source Bischofs et al., Biophys. J. 95 (2008) 3488, doi:10.1529/biophysj.108.134296, eq. 6.
CellOutline draw_outline(const AdherentSpec& spec, double clear_um, std::uint64_t seed,
                         std::int64_t cell);

/// Returns the largest distance of an adhesion from the nucleus.
double most_adhesion_um(const AdherentSpec& spec);

/// Returns the radius of an arc between adhesions `chord_um` apart, at least 0.55 of that.
double arc_radius_um(double chord_um, double elasticity_um);

}  // namespace synthoscope::simulator
