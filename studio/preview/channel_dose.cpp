// SPDX-License-Identifier: MIT
#include "studio/preview/channel_dose.hpp"
#include <cstdint>
#include "simulator/detector/camera.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/light/illumination.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/dose.hpp"
#include "simulator/run/memory_stacks.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/scene/blur_setup.hpp"

namespace synthoscope::studio {

/// What the light is recorded with, at dose 1.
struct DoseLight::Instrument {
  explicit Instrument(const simulator::Channel& channel)
      : camera{channel.scene.camera,
               {static_cast<std::uint64_t>(*channel.scene.seed), 0, channel.number},
               channel.scene.grid.extent},
        lamp{channel.scene.illumination, channel.scene.grid.extent, light_level(channel.scene)},
        noise{camera,
              background_of(channel.scene, static_cast<std::uint64_t>(*channel.scene.seed), 0),
              lamp} {}

  simulator::CameraEpilogue camera;
  simulator::Illumination lamp;
  simulator::ImageNoise noise;
};

DoseLight::DoseLight(const simulator::SceneSpec& scene, const simulator::Channel& channel,
                     const fftconv::Plan* plan, const simulator::Timelapse& timelapse,
                     simulator::PsfMemory& psfs, fftconv::Executor& blur, const RunContext& context)
    : instrument_{std::make_unique<Instrument>(channel)},
      light_{instrument_->noise, objects_for_dose(channel.scene), context.memory} {
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
  look_at_light(microscope, channel.scene, frames_for_dose(channel.scene), timelapse, stacks, blur,
                context,
                [&](Source& photons, Source& ids, const std::vector<std::uint16_t>& labels,
                    const simulator::Background& background, const RunContext& part) {
                  light_.add(photons, ids, labels, background, part);
                });
}

DoseLight::~DoseLight() = default;

double DoseLight::dose_for(const simulator::Channel& channel, const RunContext& context) {
  auto instrument = std::make_unique<Instrument>(channel);
  light_.record_with(instrument->noise);
  instrument_ = std::move(instrument);
  return dose_for_snr(light_, *channel.scene.illumination.snr, context.pool);
}

}  // namespace synthoscope::studio
