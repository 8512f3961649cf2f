// SPDX-License-Identifier: MIT
#include "imageio/open.hpp"
#include <fmt/format.h>
#include <string_view>
#include "core/error.hpp"
#include "imageio/tiff_stacks.hpp"

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

}  // namespace

std::optional<VoxelSize> ImageInfo::voxel_size() const {
  if (!z_um || !y_um || !x_um) return std::nullopt;
  return VoxelSize{*z_um, *y_um, *x_um};
}

ImageInfo inspect(const std::filesystem::path& path, const InputLimits& limits) {
  return read_tiff_stacks(path, limits).info;
}

OpenImage open_image(const std::filesystem::path& path, const OpenOptions& options) {
  auto stacks = read_tiff_stacks(path, options.limits);
  const auto channel = chosen(path, "channel", stacks.info.channels, options.channel);
  const auto frame = chosen(path, "frame", stacks.info.frames, options.frame);
  auto source = stacks.source(channel, frame);
  return {std::move(stacks.info), std::move(source)};
}

}  // namespace synthoscope::imageio
