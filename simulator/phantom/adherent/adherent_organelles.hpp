// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_organelles.hpp — fibres, mitochondria and small bodies of a
// spread cell, as strands; a function of (spec, seed, number of the cell, its body).
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>
#include "simulator/phantom/adherent/adherent_light.hpp"
#include "simulator/phantom/adherent/heights.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {

/// Upper bound of AdherentInterior::scale.
inline constexpr std::int64_t kMostScale = 2;

/// What organelles need of a cell, which must outlive it.
struct AdherentInterior {
  HeightMap heights, distances;  ///< above the glass, and from the border
  const CellOutline* outline = nullptr;
  const Nucleus* nucleus = nullptr;  ///< null without one
  Point2 middle{};                   ///< of the nucleus
  double glass_um = 0;
  double scale = 1;  ///< area of the cell over the mean area, at most kMostScale

  /// Returns how many of `number` things of a cell of mean area this one has.
  [[nodiscard]] std::int64_t scaled(std::int64_t number) const {
    return static_cast<std::int64_t>(std::floor(scale * static_cast<double>(number) + 0.5));
  }
  [[nodiscard]] double height(const Point2& p) const { return heights.at(p[0], p[1]); }
  [[nodiscard]] double distance(const Point2& p) const { return distances.at(p[0], p[1]); }

  /// Returns the direction in which the distance from the border grows, of length 1 or 0.
  [[nodiscard]] Point2 inwards(const Point2& p) const;

  /// Returns a point of the lattice's rectangle.
  [[nodiscard]] Point2 anywhere(double row, double column) const;

  /// Returns whether a point lies in the cytoplasm, with `margin_um` around it.
  [[nodiscard]] bool holds(const Vector3& p, double margin_um) const;
};

/// Draws stress fibres in bundles along the cell and its edges, fibres along concave edges, and a
/// mesh. A thicker fibre is brighter: all have about the same density.
/// @param number  of the cell
void add_actin(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
               std::int64_t number, std::vector<StainedStrand>& all);

/// Draws mitochondria that do not overlap, most of them near the nucleus and on one side of it.
void add_mitochondria(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
                      std::int64_t number, std::vector<StainedStrand>& all);

/// Draws granules and, from adhesions, retraction fibres.
void add_granules(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
                  std::int64_t number, std::vector<StainedStrand>& all);
void add_retraction_fibres(const AdherentSpec& spec, const AdherentInterior& cell,
                           std::uint64_t seed, std::int64_t number,
                           std::vector<StainedStrand>& all);

std::vector<Vacuole> draw_vacuoles(const AdherentSpec& spec, const AdherentInterior& cell,
                                   std::uint64_t seed, std::int64_t number);

/// Upper bounds of the numbers of pieces; drawing stops there.
namespace most_adherent_pieces {
std::int64_t of_fibres(const AdherentSpec& spec);
std::int64_t of_edges(const AdherentSpec& spec);
std::int64_t of_mesh(const AdherentSpec& spec);
std::int64_t of_mitochondria(const AdherentSpec& spec);
std::int64_t of_retraction(const AdherentSpec& spec);
}  // namespace most_adherent_pieces

/// Numbers of strands of different density that fibres and mitochondria are shared among.
inline constexpr std::int64_t kFibreStrands = 4, kWallStrands = 4;

/// What a mitochondrion looks like from above. Lengths are micrometres.
struct MitochondrionForm {
  double half = 0;      ///< median half width
  double length = 0;    ///< of the spine
  double first = 1;     ///< half width at the first end, over the median one
  double last = 1;      ///< at the other end
  double end = 0.5;     ///< length over which both become the median one
  double wall = 0.15;   ///< radius of the wall
  double crossing = 0;  ///< chance of a wall across, for each step of the spine
};

/// Draws a dot, an oval, a rod with swollen ends, or a thread with or without a bulb. The draws are
/// 200 to 205.
/// @param length_um, half_um  scales: each kind has fixed parts of them
MitochondrionForm draw_mitochondrion_form(double length_um, double half_um, const Draws& draws);

/// A bent spine with a half width at each point.
struct MitochondrionSpine {
  std::vector<Vector3> points;
  std::vector<double> half_widths;
};

/// Walks from a place along the glass, while `is_free(point, half_width)` holds. Draws 210 to 211,
/// and 300 to 299 + kMostSpinePoints.
MitochondrionSpine draw_spine(const MitochondrionForm& form, const Vector3& start,
                              const std::function<bool(const Vector3&, double)>& is_free,
                              const Draws& draws);

inline constexpr double kSpineStepUm = 0.25;
inline constexpr std::int64_t kMostSpinePoints = 40;

/// Adds the wall, a closed tube around the spine with walls across, and the inside. Draws 400 to
/// 799.
void add_mitochondrion(const MitochondrionForm& form, const MitochondrionSpine& spine,
                       const Draws& draws, Strand& wall, Strand& inside);

/// Returns an upper bound of the number of segments of a wall and of the inside.
std::int64_t most_pieces_of(const MitochondrionSpine& spine);

}  // namespace synthoscope::simulator
