// SPDX-License-Identifier: MIT
#include "imageio/open.hpp"
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include "core/base/error.hpp"
#include "imageio/formats.hpp"

namespace synthoscope::imageio {
namespace {

/// "0", "0 or 1", "0, 1 or 2", "0 ... 63".
std::string choices(std::int64_t count) {
  if (count == 1) return "0";
  if (count == 2) return "0 or 1";
  if (count == 3) return "0, 1 or 2";
  return fmt::format("0 ... {}", count - 1);
}

/// An array is named by a path. "a.h5:b" is refused with the right name if only a.h5 exists.
void require_named_data_set(const ImageName& name) {
  std::error_code ignored;
  const std::string all = name.file.string();
  const auto colon = all.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(name.file, ignored)) return;
  const std::string file = all.substr(0, colon), data_set = all.substr(colon + 1);
  if (!std::filesystem::is_regular_file(file, ignored)) return;
  throw IoError(fmt::format(
      "open {}: there is no such file; to name an array of the HDF5 file {}, write {}:/{}", all,
      file, file, data_set));
}

/// The file or folder that `path` names. A file is opened here, once.
ImageInput opened(const std::filesystem::path& path, ReadDigests* digests) {
  ImageInput input{image_name(path), {}};
  const auto& [file, data_set] = input.name;
  require_named_data_set(input.name);
  std::error_code ignored;
  if (!data_set.empty() || !std::filesystem::is_directory(file, ignored))
    input.file.emplace(file, digests);
  return input;
}

bool is_folder_of(const FormatReader& reader, const ImageInput& input) {
  return !input.file && (!reader.recognises_folder || reader.recognises_folder(input.name.file));
}

const FormatReader& reader_of(const ImageInput& input) {
  for (const ImageFormat& format : image_formats()) {
    if (!format.reader) continue;
    const FormatReader& reader = *format.reader;
    if (!input.name.data_set.empty() && !reader.has_arrays) continue;
    if (format.is_folder ? is_folder_of(reader, input)
                         : input.file && reader.recognises(*input.file))
      return reader;
  }
  throw InvalidInput(
      fmt::format("open {}: it is not an HDF5 file and has no array {}; give only its name",
                  input.name.file.string(), input.name.data_set));
}

/// The description of a file whose format holds one image and names its axes.
ImageInfo with_own_axes(ImageInfo info, const OpenOptions& options) {
  const auto refuse = [&](const std::string& option, const char* why) {
    throw InvalidSpec(fmt::format("open {}: {} is given, but this format ({}) {}; leave it out",
                                  info.path.string(), option, info.format, why));
  };
  if (!options.axes.empty()) refuse("--axes " + options.axes, "names its own axes");
  if (options.image.value_or(0) != 0)
    refuse(fmt::format("--image {}", *options.image), "holds one image");
  if (!info.axes.empty()) return info;
  const auto add = [&](char letter, std::int64_t size, bool is_always) {
    if (size > 1 || is_always) info.axes.push_back({letter, size});
  };
  add('T', info.frames, false);
  add('C', info.samples_per_pixel > 1 ? 1 : info.channels, false);
  add('Z', info.extent.z, false);
  add('Y', info.extent.y, true);
  add('X', info.extent.x, true);
  add('S', info.samples_per_pixel, false);
  info.axes_source = "as this format has them";
  return info;
}

/// An image that is described, and the reader that did it.
struct Described {
  const FormatReader& reader;
  ImageStacks stacks;

  [[nodiscard]] ImageInfo complete(ImageInfo info, const OpenOptions& options) const {
    if (options.voxel_size) {
      info.z_um = options.voxel_size->z_um;
      info.y_um = options.voxel_size->y_um;
      info.x_um = options.voxel_size->x_um;
    }
    return reader.takes_axes ? std::move(info) : with_own_axes(std::move(info), options);
  }
};

Described described(const std::filesystem::path& path, const OpenOptions& options) {
  ImageInput input = opened(path, options.digests);
  const FormatReader& reader = reader_of(input);
  Described image{reader, reader.read(std::move(input), options)};
  image.stacks.info = image.complete(std::move(image.stacks.info), options);
  return image;
}

/// With what the chosen channel shows.
ImageInfo shown(ImageInfo info, std::int64_t channel) {
  if (std::ssize(info.channel_names) == info.channels &&
      !info.channel_names[static_cast<std::size_t>(channel)].is_empty())
    info.channel = info.channel_names[static_cast<std::size_t>(channel)];
  return info;
}

}  // namespace

ImageInfo inspect(const std::filesystem::path& path, const OpenOptions& options) {
  return described(path, options).stacks.info;
}

ImageStacks open_stacks(const std::filesystem::path& path, const OpenOptions& options) {
  const auto image = std::make_shared<const Described>(described(path, options));
  return {image->stacks.info, [image, options](std::int64_t channel, std::int64_t frame) {
            OpenImage stack = image->stacks.open(channel, frame);
            stack.info = shown(image->complete(std::move(stack.info), options), channel);
            return stack;
          }};
}

OpenImage open_image(const std::filesystem::path& path, const OpenOptions& options) {
  const ImageStacks stacks = open_stacks(path, options);
  const ImageInfo& all = stacks.info;
  const std::int64_t channel = chosen_stack(path, "channel", all.channels, options.channel);
  const std::int64_t frame = chosen_stack(path, "frame", all.frames, options.frame);
  return stacks.open(channel, frame);
}

std::int64_t chosen_stack(const std::filesystem::path& path, std::string_view what,
                          std::int64_t count, std::optional<std::int64_t> choice) {
  if (!choice && count == 1) return 0;
  if (!choice)
    throw InvalidSpec(fmt::format("open {}: it holds {} {}s; choose one with --{} {}",
                                  path.string(), count, what, what, choices(count)));
  if (*choice < 0 || *choice >= count)
    throw InvalidSpec(fmt::format("open {}: there is no {} {}; choose --{} {}", path.string(), what,
                                  *choice, what, choices(count)));
  return *choice;
}

}  // namespace synthoscope::imageio
