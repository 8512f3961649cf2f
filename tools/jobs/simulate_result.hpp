// SPDX-License-Identifier: MIT
// tools/jobs/simulate_result.hpp — what is said of a simulation when it is done.
#pragma once
#include <filesystem>
#include <optional>
#include "core/volume/shard.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/share/scene_share.hpp"
#include "simulator/sweep/run.hpp"
#include "tools/options/command.hpp"

namespace synthoscope::tools {

/// Prints to standard output which folder was made, in a line, or as JSON with the warnings of the
/// run.
void print_result(const simulator::SimulationReport& done, const std::filesystem::path& output,
                  bool json, const Invocation& invocation);
void print_result(const simulator::SweepReport& done, const std::filesystem::path& output,
                  const std::optional<Shard>& shard, bool json, const Invocation& invocation);

/// Prints the result of a shard: what it made, and which shards are not finished.
void print_result(const simulator::SceneShareReport& done, const std::filesystem::path& output,
                  const Shard& shard, bool json, const Invocation& invocation);

}  // namespace synthoscope::tools
