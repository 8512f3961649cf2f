// SPDX-License-Identifier: MIT
// simulator/sweep/share.hpp — a sweep whose sets are shared among several processes, in one folder.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/shard.hpp"
#include "simulator/sweep/run.hpp"

namespace synthoscope::simulator {

/// Assigns jobs, of which `costs` are given, to shards: the most expensive first, each to the shard
/// with the lowest total, the lowest number of several. Jobs of equal cost are dealt out in turn.
/// @returns the shard of each job, from 1.
std::vector<std::int64_t> shared_out(const std::vector<double>& costs, std::int64_t shards);

/// Makes the sets of one shard of a sweep in the folder of simulate_sweep; sets are shared by their
/// number of voxels. The first process decides seed and plans for all and writes sweep.json; the
/// last one to finish writes sweep.csv. Sets that are whole are kept, so that a shard can be
/// repeated at any time. One process alone would make the same files.
/// @throws as simulate_sweep with `resume`; also InvalidSpec if it was begun with another number of
///         shards or another request: says what differs.
SweepReport share_sweep(const SceneSpec& scene, const SweepSpec& sweep,
                        const SimulateOptions& options, const Shard& shard, fftconv::Executor& blur,
                        const RunContext& context);

}  // namespace synthoscope::simulator
