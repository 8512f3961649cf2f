// SPDX-License-Identifier: MIT
// studio/preview/channel_dose.hpp — the dose of a channel that asks for a signal-to-noise ratio.
#pragma once
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {
class PsfMemory;
}

namespace synthoscope::studio {

/// Returns the dose that `simulate` finds, from whole frames.
/// @param scene  of all channels
/// @param plan   of this channel; null: it is made
/// @throws as simulate
double dose_of_channel(const simulator::SceneSpec& scene, const simulator::Channel& channel,
                       const fftconv::Plan* plan, const simulator::Timelapse& timelapse,
                       simulator::PsfMemory& psfs, fftconv::Executor& blur,
                       const RunContext& context);

}  // namespace synthoscope::studio
