// SPDX-License-Identifier: MIT
#include "simulator/microscope.hpp"
#include "core/carry.hpp"
#include "simulator/blur_setup.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/recording_sink.hpp"

namespace synthoscope::simulator {
namespace {

Psf make_scene_psf(const SceneSpec& scene, const RunContext& context) {
  context.progress.begin("psf", 1);
  Psf psf = make_psf(blur_optics(scene), blur_grid(scene).pitch, blur_sizing(scene), context.pool,
                     &context.memory, context.stop);
  if (const auto warning = pixel_warning(scene)) context.log.warn(*warning);
  for (const auto& note : psf.notes) context.log.note(note);
  for (const auto& warning : psf.warnings) context.log.warn(warning);
  context.progress.advance(1);
  return psf;
}

}  // namespace

Microscope::Microscope(const SceneSpec& scene, const fftconv::Plan& plan, const ExposureKey& key,
                       const RunContext& context)
    : scene_{scene},
      plan_{plan},
      illumination_{scene.illumination, scene.grid.extent, light_level(scene)},
      camera_{scene.camera, key, scene.grid.extent},
      psf_{make_scene_psf(scene, context)},
      lens_{scene_, psf_, illumination_} {}

fftconv::RunReport Microscope::take_image(std::int64_t frame, const Phantom& phantom,
                                          fftconv::Executor& blur, const DataSet& files,
                                          HostBuffer<std::byte>& recorded, Stopwatch& watch,
                                          const RunContext& context) {
  std::optional<Phantom> finer;
  if (scene_.oversample > 1) finer = refined(phantom, scene_.oversample);
  PhantomSource light{finer ? *finer : phantom};
  const auto photon_file = files.create_stack("photons", frame, PixelType::float32);
  const auto image_file =
      files.create_stack("image", frame, camera_.format(phantom.grid.extent).type);
  camera_.begin_frame(static_cast<std::uint32_t>(frame));
  fftconv::RunReport report;
  if (scene_.camera.binning == 1) {
    RecordingSink recorder{*photon_file, camera_, *image_file, recorded};
    report = lens_.run(blur, plan_, light, recorder, context);
    watch.lap("blur and record");
    recorder.close();
  } else {  // boxes of the blur end anywhere, also between pixels that are binned
    report = lens_.run(blur, plan_, light, *photon_file, context);
    watch.lap("blur");
    photon_file->close();
    watch.lap("sync");
    carry("camera", *files.open_stack("photons", frame), camera_, *image_file, context);
    watch.lap("record");
    image_file->close();
  }
  watch.lap("sync");
  return report;
}

}  // namespace synthoscope::simulator
