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

/// Places the objects of all frames, and predicts the seconds of every stage on this machine. Those
/// of blurs are predicted by their plans; those of labels, light and camera are extrapolated from
/// samples of the first frame, which take about a second. Writes nothing. A scene without a seed
/// gets one, so the objects are others than in a later run.
/// @throws InvalidSpec  objects of a frame cannot be placed; says how many fit.
/// @throws as plan_simulation
Stages rehearse(const SceneSpec& scene, const fftconv::Machine& machine, const RunContext& context,
                const SimulateOptions& options);

/// Returns "the simulation takes about 12 s here: labels 0.9 s, light 6.6 s, ..."; leaves out
/// stages of less than 2 % of the sum.
std::string prediction_of(const Stages& stages);

}  // namespace synthoscope::simulator
