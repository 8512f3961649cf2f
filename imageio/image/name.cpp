// SPDX-License-Identifier: MIT
#include "imageio/image/name.hpp"
#include <algorithm>
#include <cctype>
#include <system_error>

namespace synthoscope::imageio {

ImageName image_name(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::string all = path.string();
  for (auto at = all.find(":/"); at != std::string::npos; at = all.find(":/", at + 1)) {
    if (std::filesystem::is_regular_file(path, ignored)) break;
    const std::filesystem::path file = all.substr(0, at);
    if (has_hdf5_name(file) || std::filesystem::is_regular_file(file, ignored))
      return {file, all.substr(at + 1)};
  }
  const auto last = all.find_last_not_of('/');  // so that endings join the name
  return {last == all.npos ? all : all.substr(0, last + 1), ""};
}

std::filesystem::path file_of(const std::filesystem::path& path) {
  return image_name(path).file;
}

bool has_hdf5_name(const std::filesystem::path& file) {
  return has_extension(file, kHdf5Extensions);
}

bool has_extension(const std::filesystem::path& file, std::span<const std::string_view> known) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(known, extension) != known.end();
}

}  // namespace synthoscope::imageio
