// SPDX-License-Identifier: MIT
#include "imageio/input/folder_files.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"

namespace synthoscope::imageio {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& path) try {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator{path})
    if (fs::is_regular_file(entry.symlink_status())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
} catch (const fs::filesystem_error& failure) {
  throw IoError(fmt::format("read {}: {}; {}", path.string(), failure.code().message(),
                            remedy_of(failure.code().value(), "make the folder readable")));
}

std::int64_t bytes_in(const fs::path& path) {
  std::int64_t bytes = 0;
  for (const fs::path& file : files_in(path)) {
    std::error_code gone;
    const auto size = fs::file_size(file, gone);
    if (!gone) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

}  // namespace synthoscope::imageio
