// SPDX-License-Identifier: MIT
#include "imageio/image/name.hpp"
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <system_error>

namespace synthoscope::imageio {
namespace {

/// In small letters.
std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

bool is_one_of(const std::string& extension, std::initializer_list<const char*> known) {
  return std::ranges::any_of(known, [&](const char* one) { return extension == one; });
}

}  // namespace

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
  return is_one_of(extension_of(file), {".h5", ".hdf5"});
}

bool has_zarr_name(const std::filesystem::path& folder) {
  return is_one_of(extension_of(folder), {".zarr"});
}

bool has_tiff_name(const std::filesystem::path& file) {
  return is_one_of(extension_of(file), {".tif", ".tiff", ".btf", ".tf2", ".tf8"});
}

}  // namespace synthoscope::imageio
