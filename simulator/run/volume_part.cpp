// SPDX-License-Identifier: MIT
#include "simulator/run/volume_part.hpp"
#include "core/run/labelled_run.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

Stages image_part_of_volume(const SceneSpec& scene, const SimulateOptions& options,
                            const Stacks& stacks, fftconv::Executor& blur,
                            const RunContext& context) {
  Stages stages;
  Stopwatch watch{stages};
  const auto channels = planned_channels(scene, blur.machine(), context, options);
  const auto kept = context.memory.reserve(channels.front().additional.objects, "objects");
  watch.lap("plan");
  const Timelapse timelapse{scene, context};
  watch.lap("world");
  const Phantom phantom = timelapse.phantom(0, context);
  const auto shifted = timelapse.shifted_by_focus_drift(phantom, 0);
  watch.lap("phantom");
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto reserved = context.memory.reserve(channels[i].additional.of_channel(),
                                                 "sums of light, maps and chunks");
    const LabelledRun of_channel{context, channels[i].channel.description()};
    Microscope microscope{
        channels[i],         stacks, i, static_cast<std::uint64_t>(*scene.seed), options.psfs,
        of_channel.context()};
    watch.lap("psf and camera");
    Microscope::Buffers buffers{microscope, of_channel.context()};
    microscope.take_share(0, shifted ? *shifted : phantom, blur, buffers, watch,
                          of_channel.context());
    if (const auto text = saturation_warning(microscope.report({}).camera); !text.empty())
      of_channel.context().log.warn(text);
  }
  return stages;
}

}  // namespace synthoscope::simulator
