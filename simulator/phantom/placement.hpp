// SPDX-License-Identifier: MIT
// simulator/phantom/placement.hpp — puts nuclei into a grid so that no two overlap.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>
#include "core/math/random.hpp"
#include "core/run/stop.hpp"
#include "simulator/grid.hpp"
#include "simulator/phantom/nucleus.hpp"
#include "simulator/phantom/relaxation.hpp"

namespace synthoscope::simulator {

/// True if a plane of one of separating_directions() keeps the two at least `gap_um` apart. Never
/// true for nuclei that are nearer to each other; may be false for some that are not.
bool are_apart(const Nucleus& a, const Nucleus& b, double gap_um);

/// The same for a nucleus and a ball.
bool is_apart_from_ball(const Nucleus& nucleus, const Vector3& middle, double radius_um,
                        double gap_um);

/// Where its centre may lie by the border rule, on a grid of these edges.
/// @param table  whose keys are named where it does not fit
/// @throws InvalidSpec  it is larger than the grid.
Room room_of(const Nucleus& nucleus, BorderRule border, const Vector3& size_um,
             std::string_view table = "nuclei");

/// For each nucleus those of lower number that may overlap it; empty if the gap lets none.
std::vector<std::vector<std::size_t>> overlaps_of(const std::vector<Nucleus>& nuclei,
                                                  double gap_um);

/// What place() is told beside what it places.
struct PlacedBeside {
  std::string_view table = "nuclei";  ///< whose keys are named where something does not fit
  std::span<const Nucleus> others =
      {};                    ///< lie where they lie; where there are any, none is pushed
  double others_gap_um = 0;  ///< least distance to those, if it is larger than that among them
};

/// Moves every nucleus to a random position, the largest first, rejecting positions where it is not
/// apart from those placed before or leaves the room that the border rule gives. With the chance
/// spec.clustering it joins a cluster, each with the same chance: its position is normal around the
/// nucleus that began the cluster, which sampled with rejection is exp(-d^2 / width^2) over the
/// free room; the width grows by 1/500 with every rejection, so that full clusters grow. Else the
/// position is uniform, and the nucleus begins a cluster. After 2000 rejections of one nucleus all
/// start again from new draws, 8 times at most. Then those that found no place in the first round
/// lie where they tried first, and all are pushed apart (relaxation.hpp).
/// Nuclei of a spheroid or a shell are uniform in it at first, each in what the border rule leaves
/// of it.
/// The draws are a promise: stage `phantom`, index = number of the nucleus; draw 255 joins by word
/// 0, the cluster of word 1; draw = 256 + 2000 * round + try has words 0, 1, 2 for z, y, x,
/// in a spheroid or a shell for the direction (where z, y, x, from -1 to 1, lie in the unit ball)
/// and word 3 for the distance from the middle.
/// @source Svoboda, Kozubek, Stejskal, Cytometry A 75A (2009) 494, doi:10.1002/cyto.a.20714 (the
///         clustering probability).
/// @throws InvalidSpec  a nucleus is larger than the grid, or they do not fit: says how many did
///                      without being pushed, and what would make room, which was tried.
/// @throws Interrupted  `stop` was set.
/// @param stream  the draws, of stage `phantom` for nuclei, `cells` for the surfaces of cells.
void place(std::vector<Nucleus>& nuclei, const NucleiSpec& spec, const Grid& grid,
           const RandomStream& stream, const StopFlag& stop, const PlacedBeside& beside = {});

}  // namespace synthoscope::simulator
