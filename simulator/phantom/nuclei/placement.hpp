// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/placement.hpp — puts nuclei into a grid so that no two overlap.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>
#include "core/math/random.hpp"
#include "core/run/stop.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/nuclei/centre_region.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {

/// Returns true if a plane across one of separating_directions() keeps the two at least `gap_um`
/// apart. Never true for nuclei that are nearer to each other; may be false for some that are not.
bool are_apart(const Nucleus& a, const Nucleus& b, double gap_um);

/// The same for a nucleus and a ball.
bool is_apart_from_ball(const Nucleus& nucleus, const Vector3& middle, double radius_um,
                        double gap_um);

/// Returns for each nucleus the nuclei of lower number that may overlap it; empty if the gap allows
/// none.
std::vector<std::vector<std::size_t>> overlaps_of(const std::vector<Nucleus>& nuclei,
                                                  double gap_um);

/// What place() has to consider in addition to the nuclei that it places.
struct PlacedBeside {
  std::string_view table = "nuclei";     ///< its keys are named if something does not fit
  std::span<const Nucleus> others = {};  ///< stay in place; if there are any, nothing is pushed
  double others_gap_um = 0;              ///< least distance to `others`, if larger than spec.gap_um
};

/// Moves every nucleus to a random position, the largest first. Rejects positions where it is not
/// apart from the nuclei placed before or leaves the region that the border rule gives. With
/// probability spec.clustering it joins a cluster, each with the same probability: its position is
/// normal around the nucleus that began the cluster, which sampled with rejection is
/// exp(-d^2 / width^2) over the free space; the width grows by 1/500 with every rejection, so that
/// full clusters grow. Otherwise the position is uniform, and the nucleus begins a cluster. After
/// 2000 rejections of one nucleus all start again from new draws, 8 times at most. Then nuclei that
/// found no place in the first round are put where they tried first, and all are pushed apart
/// (relaxation.hpp). Nuclei of a spheroid or a shell are uniform in it at first, each in the part
/// that the border rule leaves. Draws, fixed by contract: stage `phantom`, index = number of the
/// nucleus. Draw 255: word 0 decides whether it joins a cluster, word 1 which. Draw 256 + 2000 *
/// round + try: words 0, 1, 2 give z, y, x; in a spheroid or a shell they give the direction (z, y,
/// x, from -1 to 1, lie in the unit ball) and word 3 the distance from the middle.
/// @source Svoboda, Kozubek, Stejskal, Cytometry A 75A (2009) 494, doi:10.1002/cyto.a.20714 (the
///         clustering probability).
/// @throws InvalidSpec  a nucleus is larger than the grid, or they do not fit; the message says how
///                      many fit without being pushed, and what would make space.
/// @throws Interrupted  `stop` was set.
/// @param stream  the draws, of stage `phantom` for nuclei, `cells` for the surfaces of cells.
void place(std::vector<Nucleus>& nuclei, const NucleiSpec& spec, const Grid& grid,
           const RandomStream& stream, const StopFlag& stop, const PlacedBeside& beside = {});

}  // namespace synthoscope::simulator
