// SPDX-License-Identifier: MIT
#include "studio/preview/channel_dose.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/dose.hpp"
#include "simulator/run/memory_stacks.hpp"
#include "simulator/run/microscope.hpp"

namespace synthoscope::studio {

double dose_of_channel(const simulator::SceneSpec& scene, const simulator::Channel& channel,
                       const fftconv::Plan* plan, const simulator::Timelapse& timelapse,
                       simulator::PsfMemory& psfs, fftconv::Executor& blur,
                       const RunContext& context) {
  simulator::SimulateOptions options;
  options.psfs = &psfs;
  if (!channel.name.empty()) options.channel = channel.name;
  if (plan) options.plans.push_back(*plan);
  const auto planned = planned_channels(scene, blur.machine(), context, options);
  const auto held =
      context.memory.reserve(planned.front().additional.of_channel(), "sums of light and maps");
  const simulator::MemoryStacks stacks{planned, true, context};
  simulator::Microscope microscope{
      planned.front(), stacks, 0, static_cast<std::uint64_t>(*scene.seed), &psfs, context};
  Stages stages;
  Stopwatch watch{stages};
  find_dose(microscope, channel.scene, timelapse, stacks, blur, watch, context);
  return microscope.report({}).dose.value_or(1);
}

}  // namespace synthoscope::studio
