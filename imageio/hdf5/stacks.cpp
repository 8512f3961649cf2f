// SPDX-License-Identifier: MIT
#include "imageio/hdf5/stacks.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/hdf5/attributes.hpp"
#include "imageio/hdf5/bdv_layout.hpp"
#include "imageio/hdf5/trial.hpp"

namespace synthoscope::imageio {
namespace {

/// ilastik's text {"axes": [{"key": "y", ...}, ...]}. Nothing where it is something else.
std::optional<std::string> letters_of_tags(const std::string& text) try {
  std::string letters;
  const Json tags = parse_json(text);
  for (const Json& axis : tags.at("axes"))
    letters += axis_letter(axis.at("key").get<std::string>());
  return letters;
} catch (const Json::exception&) {
  return std::nullopt;
}

/// Names of axes, from whichever attribute has them.
AxesOfFile described_axes(const Hdf5Chunks& data, ImageInfo& info) {
  constexpr std::int64_t kMaxAxes = 64, kMaxTags = 1 << 16;
  AxesOfFile axes{data.storage().shape, "", ""};
  if (const auto letters = read_text_attribute(data.data_set(), kAxes, kMaxAxes)) {
    axes.letters = *letters;
    axes.named_by = "its attribute 'axes'";
    return axes;
  }
  if (const auto tags = read_text_attribute(data.data_set(), kAxisTags, kMaxTags)) {
    axes.named_by = "its attribute 'axistags'";
    if (const auto letters = letters_of_tags(*tags))
      axes.letters = *letters;
    else
      info.notes.emplace_back("its attribute 'axistags' names no axes and is ignored");
    return axes;
  }
  if (const auto labels = read_texts_attribute(data.data_set(), kAxisLabels)) {
    axes.named_by = fmt::format("its dimension labels ({})", fmt::join(*labels, ", "));
    for (const std::string& label : *labels) axes.letters += axis_letter(label);
  }
  return axes;
}

bool is_length(double um) {
  return std::isfinite(um) && um > 0;
}

void read_voxel_size(const Hdf5Handle& data_set, ImageInfo& info) {
  std::optional<double>* const axes[] = {&info.z_um, &info.y_um, &info.x_um};
  for (std::size_t i = 0; i < 3; ++i)
    if (const auto um = read_numbers_attribute(data_set, kVoxelSizes[i]))
      if (um->size() == 1 && is_length(um->front())) *axes[i] = um->front();
  const auto sizes = read_numbers_attribute(data_set, kElementSize);
  if (!sizes) return;
  if (sizes->size() == 3 && std::all_of(sizes->begin(), sizes->end(), is_length))
    for (std::size_t i = 0; i < 3; ++i) *axes[i] = (*sizes)[i];
  else
    info.notes.push_back(
        fmt::format("its {} is not three numbers above 0 and is ignored", kElementSize));
}

void read_kernel_center(const Hdf5Handle& data_set, ImageInfo& info) {
  const auto center = read_numbers_attribute(data_set, kKernelCenter);
  if (!center || center->size() != 3) return;
  const auto is_position = [](double v) { return std::abs(v) < 0x1p53 && v == std::floor(v); };
  if (!std::all_of(center->begin(), center->end(), is_position)) return;
  const auto at = [&](std::size_t i) { return static_cast<std::int64_t>((*center)[i]); };
  info.kernel_center = Index3{at(0), at(1), at(2)};
}

void read_channel(const Hdf5Handle& data_set, ImageInfo& info) {
  constexpr std::int64_t kMaxName = 256;
  ImageChannel channel;
  channel.name = read_text_attribute(data_set, kChannelName, kMaxName).value_or("");
  const auto wavelength = [&](const char* name) -> std::optional<double> {
    const auto nm = read_numbers_attribute(data_set, name);
    return nm && nm->size() == 1 && is_length(nm->front()) ? std::optional{nm->front()}
                                                           : std::nullopt;
  };
  channel.emission_nm = wavelength(kEmission);
  channel.excitation_nm = wavelength(kExcitation);
  if (const auto colour = read_text_attribute(data_set, kChannelColour, 16))
    channel.rgb = parse_colour(*colour);
  if (!channel.is_empty()) info.channel_names = {channel};
}

void describe(const Hdf5Chunks& data, const KnownAxes& known, ImageInfo& info) {
  const ArrayAxes& axes = known.places;
  const Hdf5Storage& s = data.storage();
  info.data_set = data.data_set_name();
  info.extent = axes.space(s.shape);
  info.type = s.type;
  info.channels = ArrayAxes::along(s.shape, axes.c);
  info.frames = ArrayAxes::along(s.shape, axes.t);
  info.axes = known.axes;
  info.axes_source = known.source;
  info.axes_assumed = known.is_assumed;
  if (s.stored_chunk != s.shape || !s.filter_names.empty())
    info.chunks = axes.space(s.stored_chunk);
  if (!s.filter_names.empty()) info.compression = s.filter_names;
  if (s.kind == Hdf5Storage::Kind::contiguous && s.offset < 0)
    info.notes.emplace_back("no voxel was ever written: all have the fill value");
  read_voxel_size(data.data_set(), info);
  read_kernel_center(data.data_set(), info);
  if (info.channels == 1) read_channel(data.data_set(), info);
}

Hdf5Stacks read_stacks(const ImageName& name, const OpenOptions& options) {
  Hdf5Stacks stacks;
  ImageInfo& info = stacks.info;
  stacks.data = std::make_shared<const Hdf5Chunks>(name, options.limits);
  info.path = stacks.data->file().path();
  info.format = "HDF5";
  if (options.image.value_or(0) != 0)
    throw InvalidSpec(fmt::format(
        "open {}: --image {} is given; choose an image of an HDF5 file by its name, "
        "such as {}:{}",
        name.file.string(), *options.image, name.file.string(), stacks.data->data_set_name()));
  const Hdf5Lock lock;
  const KnownAxes known =
      axes_of_array(info.path, described_axes(*stacks.data, info), options.axes);
  stacks.axes = known.places;
  describe(*stacks.data, known, info);
  if (const auto place = bdv_place(stacks.data->data_set_name()); place && place->level == 0)
    info.levels = bdv_levels(stacks.data->opened(), *place);
  if (info.channels > options.limits.channels)
    refuse_hdf5(
        name.file,
        fmt::format("it has {} channels, the limit is {}", info.channels, options.limits.channels),
        "raise it with --max-channels if you trust the file");
  return stacks;
}

}  // namespace

Hdf5Stacks read_hdf5_stacks(const ImageName& name, const OpenOptions& options) {
  return after_trial(name.file, [&] { return read_stacks(name, options); });
}

ImageStacks read_hdf5(ImageInput input, const OpenOptions& options) {
  const auto stacks = std::make_shared<const Hdf5Stacks>(read_hdf5_stacks(input.name, options));
  const std::int64_t most = options.cache_bytes;
  return {stacks->info, [stacks, most](std::int64_t channel, std::int64_t frame) {
            return OpenImage{stacks->info, stacks->source(channel, frame, most),
                             stacks->buffer_bytes(most)};
          }};
}

}  // namespace synthoscope::imageio
