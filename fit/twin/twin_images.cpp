// SPDX-License-Identifier: MIT
#include "fit/twin/twin_images.hpp"
#include <algorithm>
#include <vector>
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/run/frame_maker.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::fit {
namespace {

simulator::SceneSpec single_frame(simulator::SceneSpec scene, std::int64_t seed) {
  scene.seed = seed;
  scene.frames = 1;
  return scene;
}

LabelledImage empty_image(const simulator::Grid& grid, std::int64_t bytes_per_voxel,
                          const RunContext& context) {
  LabelledImage result;
  result.name = "the twin";
  result.grid = grid;
  result.held = context.memory.reserve(volume(grid.extent) * bytes_per_voxel, "a twin image");
  result.labels = Volume<std::uint32_t>{grid.extent};
  return result;
}

/// The camera may add up pixels: a label of its grid is that of the middle of them.
void take_labels(const Volume<std::uint16_t>& from, std::int64_t bin, LabelledImage& to) {
  const Extent3 extent = to.grid.extent;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x)
        to.labels.view()(z, y, x) = from.view()(z, y * bin + bin / 2, x * bin + bin / 2);
}

}  // namespace

TwinImages::TwinImages(fftconv::Executor& blur, const RunContext& context)
    : blur_{blur},
      context_{context.pool, context.memory, quiet_progress_, quiet_log_, context.stop},
      psf_{std::make_unique<simulator::PsfMemory>()} {}

TwinImages::~TwinImages() = default;

LabelledImage TwinImages::labels(simulator::SceneSpec asked, std::int64_t seed) const {
  const simulator::SceneSpec scene = single_frame(std::move(asked), seed);
  require_valid(scene);
  const std::int64_t bin = scene.camera.binning;
  LabelledImage result =
      empty_image(simulator::binned(scene.grid, bin), sizeof(std::uint32_t), context_);
  const Reservation held = context_.memory.reserve(
      volume(scene.grid.extent) * std::int64_t{sizeof(std::uint16_t)} +
          3 * phantom_bytes(fullest_phantom_of(scene), sample_grid(scene)) + shared_bytes(scene),
      "labels of a twin");
  const simulator::Timelapse timelapse{scene, context_};
  const simulator::Phantom phantom = timelapse.phantom(0, context_);
  const auto source = timelapse.masks(phantom, timelapse.labels_of(0).labels);
  Volume<std::uint16_t> labels{scene.grid.extent};
  context_.pool.for_each(labels.extent.z, [&](std::int64_t z) {
    const Box3 one = plane(labels.extent, z);
    source->read(one, HostView3<std::uint16_t>{labels.view().row(z, 0), one.size});
  });
  take_labels(labels, bin, result);
  return result;
}

LabelledImage TwinImages::image(simulator::SceneSpec asked, std::int64_t seed) const {
  const simulator::SceneSpec scene = single_frame(std::move(asked), seed);
  simulator::FrameMakerOptions options;
  options.photons = false;
  options.psfs = psf_.get();
  simulator::FrameMaker maker{scene, options, blur_, context_};
  const auto format = maker.images().front();
  LabelledImage result = empty_image(simulator::binned(scene.grid, scene.camera.binning),
                                     sizeof(std::uint32_t) + sizeof(float), context_);
  result.type = format.type;
  const Reservation held = context_.memory.reserve(
      volume(scene.grid.extent) * 2 + volume(format.extent) * size_of(format.type),
      "voxels of a twin");
  Volume<std::uint16_t> labels{scene.grid.extent};
  visit_pixel_type(format.type, [&]<class T>(T) {
    Volume<T> counts{format.extent};
    simulator::FrameVoxels voxels{labels.view(), {}, {{counts.view(), {}}}};
    maker.make(0, std::move(voxels), context_);
    result.counts = Volume<float>{format.extent};
    std::transform(counts.voxels.begin(), counts.voxels.end(), result.counts.voxels.begin(),
                   [](T value) { return static_cast<float>(value); });
  });
  take_labels(labels, scene.camera.binning, result);
  return result;
}

}  // namespace synthoscope::fit
