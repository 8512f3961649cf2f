// SPDX-License-Identifier: MIT
#include "core/cuda/code/shared_library.hpp"
#include <fmt/format.h>
#include <cstdlib>

namespace synthoscope::cuda {

std::vector<std::string> library_names(const std::vector<std::string>& files) {
  std::vector<std::string> names = files;
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable); folder && *folder == '/')
      folders.emplace_back(folder);
  folders.emplace_back("/usr/local/cuda");
  for (const auto& folder : folders)
    for (const auto& file : files) names.push_back(fmt::format("{}/lib64/{}", folder, file));
  return names;
}

}  // namespace synthoscope::cuda
