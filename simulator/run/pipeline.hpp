// SPDX-License-Identifier: MIT
// simulator/run/pipeline.hpp — the three phases in order: phantom, optics, detector.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/executor.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/run/simulation_report.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

class SceneInputs;

/// Draws a seed and logs it at once.
std::int64_t drawn_seed(Log& log);

/// Plans the blur of each channel of `scene` on `machine`, or of its image if it has no channels,
/// next to what else a simulation holds in memory. Writes nothing, but checks all files that it
/// would read. `inputs` remembers the files of earlier scenes.
/// @throws InvalidSpec, InvalidInput, IoError, PlanError  as simulate
std::vector<fftconv::Plan> plan_simulation(const SceneSpec& scene, const fftconv::Machine& machine,
                                           const RunContext& context,
                                           const SimulateOptions& options, SceneInputs& inputs);
std::vector<fftconv::Plan> plan_simulation(const SceneSpec& scene, const fftconv::Machine& machine,
                                           const RunContext& context,
                                           const SimulateOptions& options = {});

/// Makes a data set: labels, noise-free photons and recorded counts of every frame, PSF,
/// objects.csv, world.h5, scene.json and preview.png. Objects of frame f are drawn from
/// frame_seed(seed, f), and their ids continue from frame to frame; noise is from exposure f of
/// the seed. Channels are imaged one after another, each with its own optics, camera and noise
/// (channel word c of the seed), of one world with one mask; memory is held for one channel at a
/// time. All masks are written before the first blur, so that errors of any frame are found by
/// then. The folder grows as `directory`.partial and is renamed last; a failed or interrupted run
/// removes it. The recorded counts are computed from the stored photons, so that `detect` on them
/// with the same seed gives the same image bit for bit.
///
/// Light comes only from inside the sample, which is the grid and its margin.
///
/// @throws InvalidSpec  the scene is not valid, its objects cannot be placed, the plan is for other
///                      sizes, `directory` exists and `overwrite` is not set, or it holds files
///                      that no simulation wrote.
/// @throws InvalidInput  a file that the scene names is no usable image.
/// @throws imageio::InputChanged  an input was changed meanwhile.
/// @throws IoError      such a file or the folder cannot be read or written, or the disk is full.
/// @throws PlanError    no plan fits the memory next to PSF, camera maps and objects, or the PSF, a
///                      plane of labels or the preview does not; names the smallest sufficient
///                      budget, and nothing is written then.
/// @throws Interrupted  context.stop was set.
SimulationReport simulate(const SceneSpec& scene, const SimulateOptions& options,
                          fftconv::Executor& blur, const RunContext& context);

}  // namespace synthoscope::simulator
