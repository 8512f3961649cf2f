// SPDX-License-Identifier: MIT
// fit/camera/noise_blocks.hpp — the noise of blocks of a stack, in waves without light.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/volume/view.hpp"
#include "fit/camera/free_waves.hpp"
#include "fit/camera/noise_line.hpp"
#include "fit/camera/noise_tiles.hpp"

namespace synthoscope::fit {

/// Returns how many planes a block of a stack of `planes` has: 16 or 8; 0 if there are fewer.
int planes_of_blocks(std::int64_t planes);

/// Returns mean and noise variance of blocks of kTileSide x kTileSide pixels and `free.planes`
/// planes, half overlapping along all axes: the mean is removed under a Hann window, and the power
/// of the free waves, divided by the sum of the squared window, is averaged. As in tiles the power
/// of noise lies on the line of its variance over the light, however that varies in the block.
/// Blocks with voxels beyond `limits` are left out, and every n-th is taken if there are more than
/// `most`.
/// @param free  of the pitch of `counts`, with at least one wave
std::vector<NoisePoint> noise_blocks(HostView3<const float> counts, const TileLimits& limits,
                                     const FreeWaves& free, std::int64_t most,
                                     const RunContext& context);

/// Returns the relative scatter of the power of pure noise in a block.
double scatter_of_blocks(const FreeWaves& free);

}  // namespace synthoscope::fit
