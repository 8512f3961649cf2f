// SPDX-License-Identifier: MIT
// simulator/sweep_share.hpp — a sweep that several processes make in one folder, each some sets.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/shard.hpp"
#include "simulator/sweep_run.hpp"

namespace synthoscope::simulator {

/// Whose the works are: the largest goes first, each to the shard that has least, the lowest number
/// where several have. Equal works are handed out in turns. @returns of each work, from 1.
std::vector<std::int64_t> shared_out(const std::vector<double>& works, std::int64_t shards);

/// Makes the sets of one shard of a sweep, by the voxels that there are to make, in the folder of
/// simulate_sweep. The first process to come decides seed and plans for all and writes sweep.json;
/// the last to be done writes sweep.csv. Sets that are whole are kept, so that the same shard can
/// be made again at any time. The files are those that one process makes.
/// @throws as simulate_sweep with `resume`; InvalidSpec too where it was begun in another number of
///         shards, or as something else: says what differs.
SweepReport share_sweep(const SceneSpec& scene, const SweepSpec& sweep,
                        const SimulateOptions& options, const Shard& shard, fftconv::Executor& blur,
                        const RunContext& context);

}  // namespace synthoscope::simulator
