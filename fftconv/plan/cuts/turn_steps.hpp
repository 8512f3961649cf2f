// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/turn_steps.hpp — the steps of a run in turns: which it has, and what each has
// to load.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>
#include "core/volume/interval_set.hpp"
#include "fftconv/plan/cuts/turns.hpp"

namespace synthoscope::fftconv {

/// A turn of a tile.
struct TurnStep {
  std::int64_t number = 0;  ///< among all steps of the run, tile by tile
  std::size_t tile = 0, turn = 0;
  Interval load;  ///< positions that the ring does not hold by then
};

/// Returns the steps of `to_do` in order. At the start, and after a gap, a ring is filled with all
/// that the results need; at other steps it holds the planes of the step before.
std::vector<TurnStep> turn_steps(const IntervalSet& to_do, const std::vector<Turn>& turns);

/// Planes of tiles that the steps finish.
std::int64_t planes_of(const std::vector<TurnStep>& steps, const std::vector<Turn>& turns);

/// Returns the number of independent steps of a run of `plan`; 1 if nothing is finished before the
/// end.
std::int64_t step_count(const Plan& plan);

/// Returns the units of progress of these steps together: planes, or voxels of sums.
std::int64_t progress_of(const Plan& plan, const IntervalSet& steps);

}  // namespace synthoscope::fftconv
