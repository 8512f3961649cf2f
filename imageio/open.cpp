// SPDX-License-Identifier: MIT
#include "imageio/open.hpp"
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include "core/base/error.hpp"
#include "imageio/bdv/stacks.hpp"
#include "imageio/hdf5/stacks.hpp"
#include "imageio/small/ics_source.hpp"
#include "imageio/small/png_source.hpp"
#include "imageio/tiff/planes/stacks.hpp"
#include "imageio/zarr/stacks.hpp"

namespace synthoscope::imageio {
namespace {

/// "0", "0 or 1", "0, 1 or 2", "0 ... 63".
std::string choices(std::int64_t count) {
  if (count == 1) return "0";
  if (count == 2) return "0 or 1";
  if (count == 3) return "0, 1 or 2";
  return fmt::format("0 ... {}", count - 1);
}

/// The chosen one of `count`, which has to be chosen where there are several.
std::int64_t chosen(const std::filesystem::path& path, std::string_view what, std::int64_t count,
                    std::optional<std::int64_t> choice) {
  if (!choice && count == 1) return 0;
  if (!choice)
    throw InvalidSpec(fmt::format("open {}: it holds {} {}s; choose one with --{} {}",
                                  path.string(), count, what, what, choices(count)));
  if (*choice < 0 || *choice >= count)
    throw InvalidSpec(fmt::format("open {}: there is no {} {}; choose --{} {}", path.string(), what,
                                  *choice, what, choices(count)));
  return *choice;
}

bool is_folder(const ImageName& name) {
  std::error_code ignored;
  return name.data_set.empty() && std::filesystem::is_directory(name.file, ignored);
}

bool is_hdf5_file(const ImageName& name) {
  if (is_hdf5(InputFile{name.file})) return true;
  if (name.data_set.empty()) return false;
  throw InvalidInput(
      fmt::format("open {}: it is not an HDF5 file and has no data set {}; give only its name",
                  name.file.string(), name.data_set));
}

std::optional<IcsHeader> ics_header_of(const ImageName& name, const InputLimits& limits) {
  if (!name.data_set.empty()) return std::nullopt;
  const InputFile file{name.file};
  if (!is_ics(file)) return std::nullopt;
  return read_ics_header(file, limits);
}

std::optional<ImageInfo> png_info_of(const ImageName& name, const InputLimits& limits) {
  if (!name.data_set.empty()) return std::nullopt;
  const InputFile file{name.file};
  if (!is_png(file)) return std::nullopt;
  return read_png_info(file, limits);
}

std::optional<BdvSeries> bdv_series_of(const ImageName& name, const InputLimits& limits) {
  if (!name.data_set.empty()) return std::nullopt;
  const InputFile file{name.file};
  if (!is_bdv_xml(file)) return std::nullopt;
  return read_bdv_xml(file, limits);
}

/// A data set is named by a path. "a.h5:b" is refused with the right name if only a.h5 exists.
void require_named_data_set(const ImageName& name) {
  std::error_code ignored;
  const std::string all = name.file.string();
  const auto colon = all.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(name.file, ignored)) return;
  const std::string file = all.substr(0, colon), data_set = all.substr(colon + 1);
  if (!std::filesystem::is_regular_file(file, ignored)) return;
  throw IoError(fmt::format("open {}: there is no such file; a data set of {} is named as {}:/{}",
                            all, file, file, data_set));
}

/// The description of a file whose format holds one image and names its axes.
ImageInfo with_own_axes(ImageInfo info, const OpenOptions& options) {
  const auto refuse = [&](const std::string& option, const char* why) {
    throw InvalidSpec(fmt::format("open {}: {} is given, and this format ({}) {}; leave it out",
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

/// With what the chosen channel shows.
ImageInfo shown(ImageInfo info, std::int64_t channel) {
  if (std::ssize(info.channel_names) == info.channels &&
      !info.channel_names[static_cast<std::size_t>(channel)].says_nothing())
    info.channel = info.channel_names[static_cast<std::size_t>(channel)];
  return info;
}

}  // namespace

ImageInfo inspect(const std::filesystem::path& path, const OpenOptions& options) {
  const ImageName name = image_name(path);
  require_named_data_set(name);
  const InputLimits& limits = options.limits;
  if (is_folder(name)) return read_zarr_stacks(name.file, options).info;
  if (const auto ics = ics_header_of(name, limits)) return with_own_axes(ics->info, options);
  if (auto png = png_info_of(name, limits)) return with_own_axes(*std::move(png), options);
  if (const auto bdv = bdv_series_of(name, limits))
    return with_own_axes(read_bdv_stack(name.file, *bdv, 0, 0, limits).info, options);
  return is_hdf5_file(name) ? read_hdf5_stacks(name, options).info
                            : read_tiff_stacks(name.file, options).info;
}

OpenImage open_image(const std::filesystem::path& path, const OpenOptions& options) {
  const ImageName name = image_name(path);
  require_named_data_set(name);
  const auto stack_of = [&](const ImageInfo& info) {
    return std::pair{chosen(path, "channel", info.channels, options.channel),
                     chosen(path, "frame", info.frames, options.frame)};
  };
  if (is_folder(name)) {
    const auto stacks = read_zarr_stacks(name.file, options);
    const auto [channel, frame] = stack_of(stacks.info);
    return {shown(stacks.info, channel), stacks.reading.source(channel, frame, options.cache_bytes),
            stacks.reading.buffer_bytes(options.cache_bytes)};
  }
  if (const auto ics = ics_header_of(name, options.limits)) {
    static_cast<void>(stack_of(ics->info));
    return {with_own_axes(ics->info, options), make_ics_source(*ics, options.limits),
            ics_bytes(*ics)};
  }
  if (const auto png = png_info_of(name, options.limits))
    return {with_own_axes(*png, options), make_png_source(*png, stack_of(*png).first),
            png_reading_bytes(*png)};
  if (const auto bdv = bdv_series_of(name, options.limits)) {
    const auto all = read_bdv_stack(name.file, *bdv, 0, 0, options.limits).info;
    const auto [channel, frame] = stack_of(with_own_axes(all, options));
    const auto stack = read_bdv_stack(name.file, *bdv, channel, frame, options.limits);
    return {shown(with_own_axes(stack.info, options), channel),
            stack.source(0, 0, options.cache_bytes), stack.buffer_bytes(options.cache_bytes)};
  }
  if (!is_hdf5_file(name)) {
    auto stacks = read_tiff_stacks(name.file, options);
    const auto [channel, frame] = stack_of(stacks.info);
    auto source = stacks.source(channel, frame, options.cache_bytes);
    const std::int64_t held = stacks.buffer_bytes(channel, frame, options.cache_bytes);
    return {shown(std::move(stacks.info), channel), std::move(source), held};
  }
  auto stacks = read_hdf5_stacks(name, options);
  const auto [channel, frame] = stack_of(stacks.info);
  const std::int64_t held = stacks.buffer_bytes(options.cache_bytes);
  auto source = stacks.source(channel, frame, options.cache_bytes);
  return {shown(std::move(stacks.info), channel), std::move(source), held};
}

}  // namespace synthoscope::imageio
