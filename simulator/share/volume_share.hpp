// SPDX-License-Identifier: MIT
// simulator/share/volume_share.hpp — a shard of the volume of a scene that has one frame.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "simulator/share/shared_set.hpp"

namespace synthoscope::simulator {

/// Name of the folder, in DIR.parts, of the stacks that all shards write.
inline constexpr const char* kSharedStacks = "stacks";

/// Returns the number of steps that can be shared: what the blur of every channel has.
std::int64_t shared_steps(const std::vector<fftconv::Plan>& plans);

/// Returns whether the folder of a shard says that its steps are done, of what is requested.
bool is_share_done(const std::filesystem::path& folder, const Json& request);

/// Returns a process that does some steps of the blur of every channel.
std::unique_ptr<SharedSet> make_volume_share(const SceneSpec& scene, const SimulateOptions& options,
                                             const Shard& shard, fftconv::Executor& blur,
                                             const RunContext& context);

}  // namespace synthoscope::simulator
