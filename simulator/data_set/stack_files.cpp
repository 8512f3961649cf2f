// SPDX-License-Identifier: MIT
#include "simulator/data_set/stack_files.hpp"
#include <utility>
#include "core/base/json.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/pictures/canvas.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns what viewers learn about an image. The excitation is included if the model of the lens
/// uses it or the scene gives it.
imageio::ImageChannel shown_by(const Channel& channel) {
  const OpticsSpec& optics = channel.scene.optics;
  imageio::ImageChannel shown;
  shown.name = channel.name;
  shown.emission_nm = optics.wavelength_nm;
  const bool is_named = optics.excitation_nm != OpticsSpec{}.excitation_nm;
  if (is_named || is_excited(optics.model)) shown.excitation_nm = optics.excitation_nm;
  if (!channel.name.empty()) shown.rgb = rgb_of(colour_of_light(optics.wavelength_nm));
  return shown;
}

}  // namespace

imageio::ImageSpec spec_of_volume(const Extent3& extent, PixelType type, const Grid& grid,
                                  const SimulateOptions& options) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = type;
  spec.z_um = grid.pitch.z_um;
  spec.y_um = grid.pitch.y_um;
  spec.x_um = grid.pitch.x_um;
  spec.format = options.format;
  spec.flavor = options.flavor;
  spec.chunks = options.chunks;
  return spec;
}

bool is_chunked(const SimulateOptions& options) {
  return options.format == imageio::FileFormat::hdf5 || is_zarr(options.format);
}

StackFiles::StackFiles(const SceneSpec& scene, const SimulateOptions& options, DataSetLayout layout,
                       const RunContext& context)
    : options_{options},
      context_{context},
      grid_{scene.grid},
      channels_{channels_of(scene, options.channel)},
      provenance_{text_of(record_of(scene))},
      layout_{std::move(layout)} {}

imageio::ImageSpec StackFiles::spec(std::string_view name, PixelType type,
                                    std::size_t channel) const {
  const Grid grid = name == "image" ? camera_grid(channel) : grid_;
  auto spec = spec_of_volume(grid.extent, type, grid, options_);
  spec.compression = options_.compression;
  spec.pool = &context_.pool;
  spec.labels = name == "labels" || name == "structures";
  spec.stop = &context_.stop;
  spec.provenance = provenance_;
  if (!spec.labels) spec.channel = shown_by(channels_[channel]);
  if (layout_.is_plain() && (name == "image" || name == "labels"))
    spec.flavor = imageio::TiffFlavor::plain;
  return spec;
}

imageio::ImageSpec StackFiles::joined_spec(PixelType type) const {
  imageio::ImageSpec joined = spec("image", type, 0);
  joined.channels = std::ssize(channels_);
  joined.extent.z *= joined.channels;
  joined.channel.reset();
  for (const Channel& channel : channels_) joined.channel_names.push_back(shown_by(channel));
  // Plain TIFF cannot say what a channel is. Readers of Cellpose expect the order of ImageJ
  if (layout_.is_plain()) joined.flavor = imageio::TiffFlavor::imagej;
  return joined;
}

}  // namespace synthoscope::simulator
