// SPDX-License-Identifier: MIT
#include "simulator/microscope.hpp"
#include "core/carry.hpp"
#include "simulator/blur_setup.hpp"
#include "simulator/recording_sink.hpp"

namespace synthoscope::simulator {
namespace {

/// Known where both are.
std::optional<EnergyBalance> sum(std::optional<EnergyBalance> a,
                                 const std::optional<EnergyBalance>& b) {
  if (!a || !b) return std::nullopt;
  return *a += *b;
}

/// Where images of several PSFs are added up.
std::unique_ptr<ScratchVolume> make_sums(const PlannedChannel& planned, const DataSet& files,
                                         const RunContext& context) {
  if (!planned.references.vary()) return nullptr;
  const Extent3& extent = planned.channel.scene.grid.extent;
  if (planned.beside.sums > 0)
    return std::make_unique<ScratchVolume>(extent, PixelType::float32, context.memory,
                                           "images that are added up");
  return std::make_unique<ScratchVolume>(extent, PixelType::float32, files.scratch_folder());
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
      lens_{scene_, planned.references, planned.beside.psf, files, index, context},
      sums_{make_sums(planned, files, context)},
      imaging_{scene_, lens_.terms(), illumination_, sums_.get()} {}

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
    add(blurs_, imaging_.run(blur, planned_.plan, light, frame, recorder, context));
    watch.lap("blur and record");
    recorder.close();
  } else {  // boxes of the blur end anywhere, also between pixels that are binned
    add(blurs_, imaging_.run(blur, planned_.plan, light, frame, *photon_file, context));
    watch.lap("blur");
    photon_file->close();
    watch.lap("sync");
    carry("camera", *files_.open_stack("photons", frame, index_), camera_, *image_file, context);
    watch.lap("record");
    image_file->close();
  }
  watch.lap("sync");
  light_ = images_++ == 0 ? imaging_.energy() : sum(light_, imaging_.energy());
}

ImagingReport Microscope::report() const {
  return {planned_.channel.name,
          planned_.references.count(),
          lens_.first_origin_um(),
          camera_.report(),
          planned_.plan,
          blurs_,
          scene_.optics.normalization,
          light_};
}

}  // namespace synthoscope::simulator
