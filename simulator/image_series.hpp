// SPDX-License-Identifier: MIT
// simulator/image_series.hpp — the images of all frames through one microscope.
#pragma once
#include "fftconv/executor.hpp"
#include "simulator/companions.hpp"
#include "simulator/microscope.hpp"
#include "simulator/scene_run.hpp"

namespace synthoscope::simulator {

/// Takes them one after the other; where several executors may work at once (Executor::at_once)
/// each takes the next frame when it is free, with threads, objects and sums of its own, as far as
/// --memory has room for them. Files are the same however many there are.
///
/// What is placed is that of the only frame before; of several any or none afterwards.
/// @param shows  draw the preview of a frame that is not one of a movie, too
/// @throws what the executor and the files throw.
ImagingReport take_images(const SceneRun& run, const PlannedChannel& planned,
                          Microscope& microscope, bool shows, fftconv::Executor& blur,
                          const RunContext& context);

}  // namespace synthoscope::simulator
