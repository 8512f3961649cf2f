// SPDX-License-Identifier: MIT
#include "imageio/image/info.hpp"
#include <fmt/format.h>

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

}  // namespace synthoscope::imageio
