// SPDX-License-Identifier: MIT
#include "simulator/microscope.hpp"
#include <algorithm>
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
  if (const auto warning = pattern_warning(scene.pattern, scene.optics, blur_grid(scene)))
    context.log.warn(*warning);
  for (const auto& note : psf.notes) context.log.note(note);
  for (const auto& warning : psf.warnings) context.log.warn(warning);
  context.progress.advance(1);
  return psf;
}

/// Known where both are.
std::optional<EnergyBalance> sum(std::optional<EnergyBalance> a,
                                 const std::optional<EnergyBalance>& b) {
  if (!a || !b) return std::nullopt;
  return *a += *b;
}

/// The blurs of all images as if they were one.
void add(fftconv::RunReport& all, const fftconv::RunReport& one) {
  all.instruction_set = one.instruction_set;
  all.seconds += one.seconds;
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, one.peak_memory_bytes);
  all.peak_device_bytes = std::max(all.peak_device_bytes, one.peak_device_bytes);
  all.stages.resize(one.stages.size());  // one plan has the same stages each time
  for (std::size_t i = 0; i < one.stages.size(); ++i) {
    all.stages[i].first = one.stages[i].first;
    all.stages[i].second += one.stages[i].second;
  }
}

}  // namespace

Microscope::Microscope(const PlannedChannel& planned, const DataSet& files, std::size_t index,
                       std::uint64_t seed, const RunContext& context)
    : planned_{planned},
      scene_{planned.channel.scene},
      files_{files},
      index_{index},
      illumination_{scene_.illumination, scene_.grid.extent, light_level(scene_)},
      camera_{scene_.camera, {seed, 0, planned.channel.number}, scene_.grid.extent},
      psf_{make_scene_psf(scene_, context)},
      lens_{scene_, psf_, illumination_} {}

void Microscope::write_psf() const {
  const auto file = files_.create_psf(psf_.voxels.extent, psf_.centre, index_);
  for (std::int64_t z = 0; z < psf_.voxels.extent.z; ++z) {
    const Extent3 one{1, psf_.voxels.extent.y, psf_.voxels.extent.x};
    file->write(plane(psf_.voxels.extent, z),
                HostView3<const float>{psf_.voxels.view().row(z, 0), one});
  }
  file->close();
}

void Microscope::take_image(std::int64_t frame, const Phantom& phantom, fftconv::Executor& blur,
                            HostBuffer<std::byte>& recorded, Stopwatch& watch,
                            const RunContext& context) {
  std::optional<Phantom> finer;
  if (scene_.oversample > 1) finer = refined(phantom, scene_.oversample);
  PhantomSource light{finer ? *finer : phantom, scene_.light};
  const auto photon_file = files_.create_stack("photons", frame, PixelType::float32, index_);
  const auto image_file =
      files_.create_stack("image", frame, camera_.format(phantom.grid.extent).type, index_);
  camera_.begin_frame(static_cast<std::uint32_t>(frame));
  if (scene_.camera.binning == 1) {
    RecordingSink recorder{*photon_file, camera_, *image_file, recorded};
    add(blurs_, lens_.run(blur, planned_.plan, light, frame, recorder, context));
    watch.lap("blur and record");
    recorder.close();
  } else {  // boxes of the blur end anywhere, also between pixels that are binned
    add(blurs_, lens_.run(blur, planned_.plan, light, frame, *photon_file, context));
    watch.lap("blur");
    photon_file->close();
    watch.lap("sync");
    carry("camera", *files_.open_stack("photons", frame, index_), camera_, *image_file, context);
    watch.lap("record");
    image_file->close();
  }
  watch.lap("sync");
  light_ = images_++ == 0 ? lens_.energy() : sum(light_, lens_.energy());
}

ImagingReport Microscope::report() const {
  return {planned_.channel.name,       psf_.origin_um, camera_.report(), planned_.plan, blurs_,
          scene_.optics.normalization, light_};
}

}  // namespace synthoscope::simulator
