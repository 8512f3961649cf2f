// SPDX-License-Identifier: MIT
#include "imageio/image/info.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"

namespace synthoscope::imageio {

std::optional<VoxelSize> ImageInfo::voxel_size() const {
  if (!z_um || !y_um || !x_um) return std::nullopt;
  return VoxelSize{*z_um, *y_um, *x_um};
}

std::string ImageInfo::axes_text() const {
  return axes.empty() ? "" : fmt::format("{}, {}", print_axes(axes), axes_source);
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& given,
                                            const ImageInfo& info) {
  std::vector<std::filesystem::path> files{given};
  files.insert(files.end(), info.further_files.begin(), info.further_files.end());
  return files;
}

std::string print_stacks(std::int64_t channels, std::int64_t frames) {
  const auto counted = [](std::int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return counted(channels, "channel") + " and " + counted(frames, "frame");
}

void choose_image(std::optional<std::int64_t> choice, ImageInfo& info) {
  const std::int64_t count = std::max<std::int64_t>(1, std::ssize(info.images));
  if (choice && (*choice < 0 || *choice >= count))
    throw InvalidSpec(fmt::format(
        "open {}: there is no image {}, the file holds {}; {}", info.path.string(), *choice, count,
        count == 1 ? "leave --image out" : fmt::format("give --image 0 to {}", count - 1)));
  info.image = choice.value_or(0);
  if (!choice && count > 1)
    info.notes.push_back(
        fmt::format("it holds {} images, and the first is read; choose one with --image 0 to {}",
                    count, count - 1));
}

}  // namespace synthoscope::imageio
