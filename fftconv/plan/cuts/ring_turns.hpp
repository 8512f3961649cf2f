// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/ring_turns.hpp — how a ring of planes moves along z in turns (overlap-save on
// plane spectra), and the steps of a run in turns.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>
#include "core/volume/interval.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

/// One filling of the ring, and the results that it completes. Positions are those of the z axis.
/// Position p is in slot p mod layout.ring_planes of the ring and at p mod T in the transform of
/// the columns; result v is at v mod T.
struct RingTurn {
  Interval load;    ///< positions that are loaded in this turn
  Interval window;  ///< positions that the results need; all are in the ring once `load` is
  Interval result;
  friend bool operator==(const RingTurn&, const RingTurn&) = default;
};

/// Returns the turns of a run: they make every result once, in order, and load every position that
/// a result needs once, in order.
/// @source overlap-save: Oppenheim & Schafer, Discrete-Time Signal Processing, 3rd ed., 8.7.3.
std::vector<RingTurn> ring_turns_of(const Layout& layout);

/// Returns the offset in the ring of every element of a column's transform, in Reals; kOutside if
/// the turn has no plane for it.
std::vector<std::int64_t> ring_offsets(const Layout& layout, const RingTurn& turn);

/// Returns, for every result of the turn, the offsets (in Reals) of the kernel_count image planes
/// that kernel planes 0, 1, ... are multiplied with; kOutside if there is none.
std::vector<std::int64_t> partner_offsets(const Layout& layout, const RingTurn& turn);

/// Returns the offset among the turn's result planes of every element of a column's transform;
/// kOutside if it is no result.
std::vector<std::int64_t> result_offsets(const Layout& layout, const RingTurn& turn);

/// A turn of a tile.
struct TurnStep {
  std::int64_t number = 0;  ///< among all steps of the run, tile by tile
  std::size_t tile = 0, turn = 0;
  Interval load;  ///< positions that the ring does not hold by then
};

/// Returns the steps of `to_do` in order. At the start, and after a gap, a ring is filled with all
/// that the results need; at other steps it holds the planes of the step before.
std::vector<TurnStep> turn_steps(const IntervalSet& to_do, const std::vector<RingTurn>& turns);

/// Planes of tiles that the steps finish.
std::int64_t planes_of(const std::vector<TurnStep>& steps, const std::vector<RingTurn>& turns);

/// Returns the number of independent steps of a run of `plan`; 1 if nothing is finished before the
/// end.
std::int64_t step_count(const Plan& plan);

/// Returns the units of progress of these steps together: planes, or voxels of sums.
std::int64_t progress_of(const Plan& plan, const IntervalSet& steps);

}  // namespace synthoscope::fftconv
