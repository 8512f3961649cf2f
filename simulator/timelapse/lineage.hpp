// SPDX-License-Identifier: MIT
// simulator/timelapse/lineage.hpp — who is born when and of whom; nothing of places.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/timelapse/time_spec.hpp"

namespace synthoscope::simulator {

/// Whose lives they are: the word for them, and the stage of their draws.
struct LivesOf {
  std::string_view who = "nuclei";
  RandomStage stage = RandomStage::lives;
};

/// A nucleus or a cell from its birth to its division. Its number is its place in a lineage.
struct Life {
  std::int64_t begin = 0, end = 0;  ///< first and last frame
  std::int64_t mother = -1;         ///< number of the one that divided; -1 for none
  double born_seconds = 0;          ///< before 0 for those of the first frame
  double cycle_seconds = 0;         ///< from birth to division; 0 where none divide
};

/// All nuclei, or all cells, of a movie: those of the first frame, then the two daughters of each
/// that divided, in the order of frames and of mothers. A function of its arguments; with fewer
/// frames the same ones, as far as they are born by then.
///
/// Cycles last cycle_hours (1 + cycle_spread b), b bell-shaped within 2 sqrt(3). Those of the
/// first frame are anywhere in their cycle, each place as likely. A mother's last frame is the one
/// before her daughters' first. The draws are a promise: stage `lives`, of cells `cell_lives`,
/// index = number; draw 0 the length of the cycle, draw 1 by word 0 the part of it that has passed
/// in the first frame.
/// @throws InvalidSpec  there are more than labels tell apart.
std::vector<Life> lineage_of(std::int64_t count, const TimeSpec& time, std::int64_t frames,
                             std::uint64_t seed, const LivesOf& of = {});

/// How many there are in a frame, at most; in all frames together, once for each; and at all.
struct Headcount {
  std::int64_t most = 0, rows = 0;
  std::int64_t lives = 0;
};
Headcount headcount_of(const std::vector<Life>& lineage, std::int64_t frames);

/// How far a nucleus is in its cycle at a time, from 0 to 1; 0 where none divide.
double progress_of(const Life& life, double seconds);

/// What a cycle does to a nucleus. It grows steadily to twice its volume through G1 (half of the
/// cycle), S (0.3) and G2 (0.15). In mitosis, the rest, it becomes longer, and half as long again
/// in the end.
struct CycleForm {
  double volume = 1;  ///< relative to that at birth, 1 ... 2
  double stretch = 1;
};
CycleForm form_at(double progress);

/// Volume over a cycle, on average, relative to that at birth.
inline constexpr double kMeanCycleVolume = 1.525;
inline constexpr double kLongestStretch = 1.5;

}  // namespace synthoscope::simulator
