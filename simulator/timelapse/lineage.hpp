// SPDX-License-Identifier: MIT
// simulator/timelapse/lineage.hpp — birth times and mothers of bodies, without positions.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/phantom/mitosis/mitosis.hpp"
#include "simulator/scene/time_spec.hpp"

namespace synthoscope::simulator {

/// The kind of bodies in a lineage: the word for them, and the stage of their random draws.
struct LivesOf {
  std::string_view who = "nuclei";
  RandomStage stage = RandomStage::lives;
};

/// A nucleus or a cell from its birth to its division. Its number is its index in a lineage.
struct Life {
  std::int64_t begin = 0, end = 0;  ///< first and last frame
  std::int64_t mother = -1;         ///< number of the body that divided; -1 for none
  double born_seconds = 0;          ///< before 0 for bodies of the first frame
  double cycle_seconds = 0;         ///< from birth to division; 0 if none divide
};

/// Returns all nuclei, or all cells, of a movie: those in the first frame, then the two daughters
/// of each that divides, in the order of frames and of mothers. The result depends only on the
/// arguments; fewer frames give the same lives, as far as they are born by then.
///
/// Cycles last cycle_hours (1 + cycle_spread b), b bell-shaped within 2 sqrt(3). Bodies of the
/// first frame are anywhere in their cycle, with equal probability. A mother's last frame is the
/// one before her daughters' first. The random draws are fixed and must not change: stage `lives`,
/// for cells `cell_lives`, index = number; draw 0 the length of the cycle, draw 1 by word 0 the
/// part of it that has passed in the first frame.
/// @throws InvalidSpec  there are more than labels can distinguish.
std::vector<Life> lineage_of(std::int64_t count, const TimeSpec& time, std::int64_t frames,
                             std::uint64_t seed, const LivesOf& of = {});

/// Numbers of bodies: the most in one frame; the sum over all frames; the total.
struct Headcount {
  std::int64_t most = 0, rows = 0;
  std::int64_t lives = 0;
};
Headcount headcount_of(const std::vector<Life>& lineage, std::int64_t frames);

/// Returns a nucleus's progress in its cycle at a time, from 0 to 1; 0 if none divide.
double progress_of(const Life& life, double seconds);

/// The effect of a cycle on a body. It grows steadily to twice its volume through G1 (half of the
/// cycle), S (0.3) and G2 (0.15). In mitosis, the rest, it becomes longer, in the end by half;
/// nuclei whose mitosis is shown have the forms of mitosis.hpp instead.
struct CycleForm {
  double volume = 1;  ///< relative to the volume at birth, 1 ... 2
  double stretch = 1;
};
CycleForm form_at(double progress);

/// Mean volume over a cycle, relative to the volume at birth.
inline constexpr double kMeanCycleVolume = 2 / kDividingVolume;
inline constexpr double kLongestStretch = 1.5;

}  // namespace synthoscope::simulator
