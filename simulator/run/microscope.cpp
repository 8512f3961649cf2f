// SPDX-License-Identifier: MIT
#include "simulator/run/microscope.hpp"
#include "core/stream/carry.hpp"
#include "simulator/detector/ignored_keys.hpp"
#include "simulator/imaging/recording_sink.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/truth/emitted_light.hpp"
#include "simulator/truth/object_signal.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the sum if both are known.
std::optional<EnergyBalance> sum(std::optional<EnergyBalance> a,
                                 const std::optional<EnergyBalance>& b) {
  if (!a || !b) return std::nullopt;
  return *a += *b;
}

/// Returns the volume where images of several PSFs are added up; null for one PSF.
std::unique_ptr<ScratchVolume> make_sums(const PlannedChannel& planned, const Stacks& stacks,
                                         const RunContext& context) {
  if (!planned.references.vary()) return nullptr;
  const Extent3& extent = planned.channel.scene.grid.extent;
  if (planned.additional.sums > 0)
    return std::make_unique<ScratchVolume>(extent, PixelType::float32, context.memory,
                                           "images that are added up");
  return std::make_unique<ScratchVolume>(extent, PixelType::float32, stacks.scratch_folder());
}

/// Returns where light is kept; null if it is rendered whenever it is read.
std::unique_ptr<KeptLight> make_kept_light(const PlannedChannel& planned, const Stacks& stacks,
                                           const RunContext& context) {
  const Extent3 extent = blur_grid(planned.channel.scene).extent;
  const LightKeeping keeping = planned.additional.keeping;
  if (keeping == LightKeeping::nowhere) return nullptr;
  if (keeping == LightKeeping::in_memory)
    return std::make_unique<KeptLight>(extent, context.memory);
  return std::make_unique<KeptLight>(extent, stacks.scratch_folder(), planned.plan.cut.along_y);
}

/// Warns of settings that are allowed but probably not meant.
void warn_of(const Channel& channel, Log& log) {
  if (!channel.name.empty())
    if (const auto dark = dark_warning(channel.scene)) log.warn(*dark);
  if (const auto idle = warning_of_ignored_keys(channel.scene.camera); !idle.empty())
    log.warn(idle);
}

}  // namespace

Microscope::Microscope(const PlannedChannel& planned, const Stacks& stacks, std::size_t index,
                       std::uint64_t seed, PsfMemory* psfs, const RunContext& context)
    : planned_{planned},
      scene_{planned.channel.scene},
      stacks_{stacks},
      index_{index},
      seed_{seed},
      illumination_{scene_.illumination, scene_.grid.extent, light_level(scene_)},
      camera_{scene_.camera, {seed, 0, planned.channel.number}, scene_.grid.extent},
      lens_{scene_, planned.references, planned.additional.psf, stacks, index, psfs, context} {
  warn_of(planned.channel, context.log);
}

Microscope::Buffers::Buffers(const Microscope& m, const RunContext& context)
    : sums_{make_sums(m.planned_, m.stacks_, context)},
      light_{make_kept_light(m.planned_, m.stacks_, context)},
      imaging_{m.scene_, m.seed_, m.lens_.terms(), m.illumination_, sums_.get()},
      recorded_{context.memory, m.planned_.additional.recorded, "a recorded plane"} {}

std::unique_ptr<Sink> Microscope::create_photons(std::int64_t frame) const {
  return stacks_.create_stack("photons", frame, PixelType::float32, index_);
}

std::unique_ptr<Sink> Microscope::create_counts(std::int64_t frame) const {
  return stacks_.create_stack("image", frame, counts().type, index_);
}

TakenImage Microscope::blur_into(Sink& photons, std::int64_t frame, const Phantom& phantom,
                                 fftconv::Executor& blur, Buffers& buffers, Stopwatch& watch,
                                 const RunContext& context) {
  const std::optional<Phantom> of_blur = on_blur_grid(phantom, scene_);
  PhantomSource rendered{of_blur ? *of_blur : phantom, scene_.light};
  if (buffers.light_) {
    buffers.light_->render(rendered, context);
    watch.lap("light");
  }
  Source& light = buffers.light_ ? static_cast<Source&>(*buffers.light_) : rendered;
  TakenImage taken;
  taken.blur = buffers.imaging_.run(blur, planned_.plan, light, frame, photons, context);
  taken.light = buffers.imaging_.energy();
  watch.lap(bins() ? "blur" : "blur and record");
  return taken;
}

TakenImage Microscope::take_share(std::int64_t frame, const Phantom& phantom,
                                  fftconv::Executor& blur, Buffers& buffers, Stopwatch& watch,
                                  const RunContext& context) {
  const auto photon_file = create_photons(frame);
  TakenImage taken;
  if (bins()) {  // boxes of the blur may end between pixels that are binned together
    taken = blur_into(*photon_file, frame, phantom, blur, buffers, watch, context);
    photon_file->close();
  } else {
    const auto image_file = create_counts(frame);
    CameraEpilogue camera{camera_, frame};
    RecordingSink recorder{*photon_file, camera, *image_file, buffers.recorded_};
    taken = blur_into(recorder, frame, phantom, blur, buffers, watch, context);
    recorder.close();
    camera_.add(camera.report());
  }
  watch.lap("sync");
  return taken;
}

void Microscope::record_photons_into(Sink& counts, std::int64_t frame, Stopwatch& watch,
                                     const RunContext& context) {
  CameraEpilogue camera{camera_, frame};
  carry("camera", *stacks_.open_stack("photons", frame, index_), camera, counts, context);
  watch.lap("record");
  counts.close();
  watch.lap("sync");
  camera_.add(camera.report());
}

void Microscope::record_photons(std::int64_t frame, Stopwatch& watch, const RunContext& context) {
  record_photons_into(*create_counts(frame), frame, watch, context);
}

TakenImage Microscope::take_image(std::int64_t frame, const Phantom& phantom,
                                  fftconv::Executor& blur, Buffers& buffers, Stopwatch& watch,
                                  const RunContext& context) {
  if (!bins()) return take_share(frame, phantom, blur, buffers, watch, context);
  const auto counts = create_counts(frame);  // a full disk is found before the blur
  TakenImage taken = take_share(frame, phantom, blur, buffers, watch, context);
  record_photons_into(*counts, frame, watch, context);
  return taken;
}

void Microscope::store_light(std::int64_t frame, const Phantom& phantom, Stopwatch& watch,
                             const RunContext& context) const {
  const auto light = stacks_.create_stack("light", frame, PixelType::float32, index_);
  write_emitted_light(phantom, scene_, illumination_.level(), *light, context);
  watch.lap("light");
}

std::vector<double> Microscope::object_snr(std::int64_t frame,
                                           const std::vector<std::uint16_t>& labels,
                                           const RunContext& context) const {
  const auto photons = stacks_.open_stack("photons", frame, index_);
  const auto ids = stacks_.open_stack("labels", frame);
  return simulator::object_snr(*photons, *ids, labels, noise(frame), context);
}

ImagingReport Microscope::report(const std::vector<TakenImage>& images) const {
  fftconv::RunReport blurs;
  std::optional<EnergyBalance> light = EnergyBalance{};
  for (const TakenImage& image : images) {
    add(blurs, image.blur);
    light = sum(light, image.light);
  }
  return {planned_.channel.name,
          planned_.references.count(),
          lens_.first_origin_um(),
          camera_.report(),
          planned_.plan,
          blurs,
          scene_.optics.normalization,
          light,
          /*median_snr=*/std::nullopt,
          dose_};
}

}  // namespace synthoscope::simulator
