// SPDX-License-Identifier: MIT
#include "tools/show/stacks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <memory>
#include "core/base/error.hpp"
#include "simulator/report/data_set_reader.hpp"

namespace synthoscope::tools {
namespace {

using simulator::Colour;

/// The colour of a channel: what its file says, what the eye sees of its light, or one of a list.
Colour colour_of(const imageio::ImageChannel& channel, std::size_t number) {
  constexpr std::array<Colour, 6> kColours{
      {{0, 0.9, 0.25}, {1, 0.1, 0.9}, {0.1, 0.6, 1}, {1, 0.75, 0}, {1, 0.2, 0.1}, {0, 0.9, 0.9}}};
  if (channel.rgb)
    return {(*channel.rgb >> 16 & 255) / 255.0, (*channel.rgb >> 8 & 255) / 255.0,
            (*channel.rgb & 255) / 255.0};
  if (channel.emission_nm) return simulator::colour_of_light(*channel.emission_nm);
  return kColours[number % kColours.size()];
}

/// Axes that the file does not tell are taken as long as the ones that it does.
void take_grid(const imageio::ImageInfo& info, ShownStacks& stacks) {
  const double known = info.x_um ? *info.x_um : info.y_um ? *info.y_um : info.z_um.value_or(1);
  stacks.has_voxel_size = info.x_um && info.y_um && (info.z_um || info.extent.z == 1);
  stacks.grid = {info.extent,
                 {info.z_um.value_or(known), info.y_um.value_or(known), info.x_um.value_or(known)}};
}

ShownStacks stacks_of_file(const std::filesystem::path& path, const imageio::OpenOptions& options,
                           const RunContext& context) {
  const imageio::ImageInfo info = imageio::inspect_counted(path, options, context);
  ShownStacks stacks;
  stacks.files = imageio::files_of(path, info);
  take_grid(info, stacks);
  stacks.has_named_axes = !info.axes_assumed;
  stacks.frames = info.frames;
  for (std::int64_t i = 0; i < info.channels; ++i) {
    if (options.channel && *options.channel != i) continue;
    const auto number = static_cast<std::size_t>(i);
    const imageio::ImageChannel channel =
        number < info.channel_names.size() ? info.channel_names[number] : imageio::ImageChannel{};
    stacks.channels.push_back({channel.name, colour_of(channel, number),
                               [path, options, i, &context](std::int64_t frame) {
                                 imageio::OpenOptions one = options;
                                 one.channel = i;
                                 one.frame = frame;
                                 return imageio::open_counted(path, one, context);
                               }});
  }
  if (stacks.channels.empty()) static_cast<void>(imageio::open_image(path, options));  // throws
  return stacks;
}

ShownStacks stacks_of_set(const std::filesystem::path& folder, const imageio::OpenOptions& options,
                          const RunContext& context) {
  const auto set = std::make_shared<simulator::DataSetReader>(folder);
  ShownStacks stacks;
  stacks.frames = set->made().count();
  const std::int64_t first = set->made().first;
  take_grid(set->image(first, 0, context).info, stacks);
  for (std::size_t i = 0; i < set->channels().size(); ++i) {
    if (options.channel && *options.channel != static_cast<std::int64_t>(i)) continue;
    const auto nm = set->number("optics", "wavelength_nm", i);
    imageio::ImageChannel channel;
    channel.name = set->channels()[i];
    channel.emission_nm = nm;
    stacks.channels.push_back(
        {channel.name, colour_of(channel, i), [set, i, first, &context](std::int64_t frame) {
           return set->image(first + frame, i, context);
         }});
  }
  if (stacks.channels.empty())
    throw InvalidSpec(fmt::format("show {}: there is no channel {}; it has {}", folder.string(),
                                  *options.channel, set->channels().size()));
  stacks.labels = [set, first, &context](std::int64_t frame) {
    return set->labels(first + frame, context);
  };
  return stacks;
}

}  // namespace

ShownStacks stacks_to_show(const std::filesystem::path& path, const imageio::OpenOptions& options,
                           const RunContext& context) {
  return std::filesystem::exists(path / "scene.json") ? stacks_of_set(path, options, context)
                                                      : stacks_of_file(path, options, context);
}

void add_labels(ShownStacks& stacks, const std::filesystem::path& path,
                const imageio::OpenOptions& options, const RunContext& context) {
  imageio::OpenOptions opening = options;
  opening.labels = true;
  opening.channel.reset();
  const imageio::ImageInfo info = imageio::inspect_counted(path, opening, context);
  if (!(info.extent == stacks.grid.extent))
    throw InvalidSpec(
        fmt::format("show {}: labels of {} do not fit an image of {}; give those of "
                    "this image",
                    path.string(), info.extent, stacks.grid.extent));
  for (const auto& file : imageio::files_of(path, info)) stacks.files.push_back(file);
  const bool is_one = info.frames == 1;
  stacks.labels = [path, opening, is_one, &context](std::int64_t frame) {
    imageio::OpenOptions one = opening;
    one.frame = is_one ? 0 : frame;
    return imageio::open_counted(path, one, context);
  };
}

}  // namespace synthoscope::tools
