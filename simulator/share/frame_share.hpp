// SPDX-License-Identifier: MIT
// simulator/share/frame_share.hpp — a shard of the frames of a scene.
#pragma once
#include <memory>
#include "simulator/share/shared_set.hpp"

namespace synthoscope::simulator {

/// Returns a process that makes some of the frames, each a part of the data set.
std::unique_ptr<SharedSet> make_frame_share(const SceneSpec& scene, const SimulateOptions& options,
                                            const Shard& shard, fftconv::Executor& blur,
                                            const RunContext& context);

}  // namespace synthoscope::simulator
