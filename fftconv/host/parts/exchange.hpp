// SPDX-License-Identifier: MIT
// fftconv/host/parts/exchange.hpp — parts that several processes convolve become planes of all
// parts.
#pragma once
#include "core/run/memory_budget.hpp"
#include "core/run/stop.hpp"
#include "core/stream/scratch_volume.hpp"
#include "core/volume/interval.hpp"
#include "fftconv/plan/cuts/decimation.hpp"
#include "fftconv/team.hpp"

namespace synthoscope::fftconv {

/// What one of several processes does of a run in parts: it convolves some parts whole, and unfolds
/// some planes of all parts. The shares of all members cover parts, and planes that results need,
/// once each.
struct SharedParts {
  Interval parts, planes;
};
/// @param result_planes  that are wanted, along the axis of the parts
SharedParts share_of_parts(const Decimation& decimation, std::int64_t result_planes,
                           const Shard& member);

/// Sends the planes of this member's parts to the members that unfold them, and receives those that
/// it unfolds: every voxel is sent once. With n members each sends and receives about (n - 1) / n^2
/// of all parts.
///
/// @param own       [2 M of each own part, y, x]: real and imaginary plane of every plane
/// @param gathered  [2 of each own plane, for every part, y, x], in ascending order of the parts
/// @param bytes     memory for messages, at least two rows
void exchange_parts(Team& team, const Decimation& decimation, std::int64_t result_planes,
                    ScratchVolume& own, ScratchVolume& gathered, std::int64_t bytes,
                    MemoryBudget& memory, const StopFlag& stop);

}  // namespace synthoscope::fftconv
