// SPDX-License-Identifier: MIT
// simulator/measurement/bead_average.hpp — the mean image of beads: a measured PSF.
#pragma once
#include "simulator/measurement/beads.hpp"

namespace synthoscope::simulator {

/// The mean of beads, scaled to a peak of 1, and how far they differ from it.
struct BeadAverage {
  Volume<float> mean;    ///< the bead's centre is its middle voxel
  Volume<float> spread;  ///< standard deviation over the beads, of each voxel; 0 for one bead
  double noise = 0;      ///< standard error of a voxel of the mean, where the light is
};

/// Moves every kept bead to the middle of a window by windowed sinc functions, takes its background
/// off, and adds all up, so that a bead counts as much as it has light. Positions are refined until
/// each bead fits the mean best. Of four beads or more, those are refused that differ from the mean
/// by more than a tenth of its peak and three times as much as most: they are dirt, or two beads in
/// one.
/// @param beads  of find_beads; centres and refusals are updated
/// @throws InvalidInput  no bead can be used: says how many were refused for what.
/// @throws PlanError, Interrupted
BeadAverage average_beads(const Volume<float>& stack, const VoxelSize& pitch, FoundBeads& beads,
                          const RunContext& context);

/// Returns the bytes of average_beads and its result, with so many threads.
std::int64_t average_bytes(const FoundBeads& beads, int threads);

}  // namespace synthoscope::simulator
