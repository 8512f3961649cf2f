// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_organelles.hpp — fibres, mitochondria and small bodies of a
// spread cell, as strands; a function of (spec, seed, number of the cell, its body).
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>
#include "simulator/phantom/adherent/adherent_light.hpp"
#include "simulator/phantom/adherent/heights.hpp"
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
/// mesh. All fibres have about the same
/// density, so a thicker fibre is brighter.
void add_actin(const AdherentSpec& spec, const AdherentInterior& cell, std::uint64_t seed,
               std::int64_t number, std::vector<StainedStrand>& all);

/// Draws mitochondria: hollow ovals, bent rods, rings and dots, most of them near the nucleus.
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

}  // namespace synthoscope::simulator
