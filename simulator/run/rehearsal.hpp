// SPDX-License-Identifier: MIT
// simulator/run/rehearsal.hpp — what a simulation will meet, and how long it will take: its objects
// are placed, and samples of its work are done.
#pragma once
#include <string>
#include "core/base/stopwatch.hpp"
#include "fftconv/executor.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Places the objects of all frames, and predicts the seconds of every stage on this machine. The
/// plans predict the blurs. Labels, light and camera are timed with samples of the first frame,
/// which takes about a second. Writes nothing. If the scene has no seed, one is drawn, so a later
/// run has other objects.
/// @throws InvalidSpec  objects of a frame cannot be placed; says how many fit.
/// @throws as plan_simulation
Stages rehearse(const SceneSpec& scene, const fftconv::Machine& machine, const RunContext& context,
                const SimulateOptions& options);

/// Returns "the simulation takes about 12 s here: labels 0.9 s, light 6.6 s, ..."; leaves out
/// stages of less than 2 % of the sum.
std::string prediction_of(const Stages& stages);

}  // namespace synthoscope::simulator
