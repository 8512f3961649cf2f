// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/mitochondrion_form.hpp — the shape of one mitochondrion of a spread
// cell: a bent spine, half widths along it, a wall around it and walls across.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {

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

/// Draws a dot, an oval, a rod with swollen ends or a thread, which may end in a bulb. Draws 200 to
/// 205.
/// @param length_um, half_um  medians over all
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
