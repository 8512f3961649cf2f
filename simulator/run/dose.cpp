// SPDX-License-Identifier: MIT
#include "simulator/run/dose.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/run/labelled_run.hpp"
#include "core/stream/scratch_volume.hpp"
#include "simulator/truth/labelled_light.hpp"

namespace synthoscope::simulator {

std::int64_t frames_for_dose(const SceneSpec& scene) {
  constexpr std::int64_t kEnough = 8;
  return scene.time.is_movie() ? 1 : std::min(scene.frames, kEnough);
}

std::int64_t objects_for_dose(const SceneSpec& scene) {
  return frames_for_dose(scene) * number_of(fullest_phantom_of(scene), sample_grid(scene));
}

std::int64_t dose_bytes(const SceneSpec& scene) {
  return scene.illumination.snr
             ? LabelledLight::bytes(objects_for_dose(scene), scene.camera.binning) +
                   (2 + frames_for_dose(scene)) *
                       Background::bytes(scene.background, scene.grid.extent)
             : 0;
}

std::int64_t dose_working_bytes(const SceneSpec& scene, int threads) {
  return scene.illumination.snr
             ? LabelledLight::working_bytes(scene.grid.extent, scene.camera.binning, threads)
             : 0;
}

void look_at_light(Microscope& microscope, const SceneSpec& scene, std::int64_t frames,
                   const Timelapse& timelapse, const Stacks& stacks, fftconv::Executor& blur,
                   const RunContext& context, const LookAtLight& look) {
  Stages stages;  // the caller counts them as one
  Stopwatch watch{stages};
  ScratchVolume photons{scene.grid.extent, PixelType::float32, stacks.scratch_folder()};
  Microscope::Buffers buffers{microscope, context};
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    LabelledProgress progress{context.progress,
                              frames == 1 ? "dose" : fmt::format("dose {}/{}", frame + 1, frames)};
    const RunContext part = with_progress(progress, context);
    const Phantom phantom = timelapse.phantom(frame, part);
    const auto shifted = timelapse.shifted_by_focus_drift(phantom, frame);
    microscope.take_light(photons, frame, shifted ? *shifted : phantom, blur, buffers, watch, part);
    const std::vector<std::uint16_t> labels = timelapse.labels_of(frame).labels;
    look(photons, *timelapse.masks(phantom, labels), labels, microscope.background(frame), part);
  }
}

void find_dose(Microscope& microscope, const SceneSpec& scene, const Timelapse& timelapse,
               const Stacks& stacks, fftconv::Executor& blur, Stopwatch& watch,
               const RunContext& context) {
  if (!scene.illumination.snr) return;
  const ImageNoise noise = microscope.noise(0);
  LabelledLight light{noise, objects_for_dose(scene), context.memory};
  look_at_light(microscope, scene, frames_for_dose(scene), timelapse, stacks, blur, context,
                [&](Source& photons, Source& ids, const std::vector<std::uint16_t>& labels,
                    const Background& background,
                    const RunContext& part) { light.add(photons, ids, labels, background, part); });
  const double dose = dose_for_snr(light, *scene.illumination.snr, context.pool);
  context.log.note(
      fmt::format("a dose of {:.4g} gives the median object a signal-to-noise ratio "
                  "of {}",
                  dose, *scene.illumination.snr));
  microscope.set_dose(dose);
  watch.lap("dose");
}

}  // namespace synthoscope::simulator
