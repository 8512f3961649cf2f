// SPDX-License-Identifier: MIT
// simulator/run/image_series.hpp — takes the images of all frames through one microscope.
#pragma once
#include "fftconv/executor.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/run/scene_run.hpp"

namespace synthoscope::simulator {

/// Takes images in the order of frames. If several executors may work at once (Executor::at_once),
/// each takes the next frame when it is free, with its own threads, objects and sums, as far as
/// --memory allows. The files do not depend on the number of executors.
///
/// A single frame must be placed in `run` already. If there are several frames, any or none is
/// placed in `run` afterwards.
/// Adds the signal-to-noise ratios of their objects to run.objects.
/// @param index  of the channel among those that are imaged
/// @param shows  also draw the preview of a frame that is not one of a movie
/// @throws what the executor and the files throw.
ImagingReport take_images(const SceneRun& run, const PlannedChannel& planned,
                          Microscope& microscope, std::size_t index, bool shows,
                          fftconv::Executor& blur, const RunContext& context);

/// Uses the stacks of SimulateOptions::recorded as those of channel `index`, in a scene of one
/// frame. If the camera bins pixels, it records the photons here.
ImagingReport take_recorded_image(const SceneRun& run, Microscope& microscope, std::size_t index,
                                  bool shows, const RunContext& context);

}  // namespace synthoscope::simulator
