// SPDX-License-Identifier: MIT
// simulator/run/volume_part.hpp — one of several processes that image the only frame of a scene.
#pragma once
#include "core/base/stopwatch.hpp"
#include "fftconv/executor.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/imaging/stacks.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Blurs and records what the checkpoint of `context` asks for of the only frame, in every channel:
/// no labels, no tables. PSFs are made whole.
/// @param scene   with its seed
/// @param options  with plans, which all processes share
/// @param stacks  of all processes; photons and counts take boxes in any order
/// @returns the stages
/// @throws as simulate
Stages image_part_of_volume(const SceneSpec& scene, const SimulateOptions& options,
                            const Stacks& stacks, fftconv::Executor& blur,
                            const RunContext& context);

}  // namespace synthoscope::simulator
