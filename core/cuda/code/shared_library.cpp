// SPDX-License-Identifier: MIT
#include "core/cuda/code/shared_library.hpp"
#include <fmt/format.h>
#include <cstdlib>

namespace synthoscope::cuda {
namespace {

/// Returns where to look for a library with one of the file names `files`.
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

}  // namespace

std::string open_library(const std::vector<std::string>& files,
                         const std::function<bool(void* library)>& find_all) {
  std::string first_failure;
  for (const std::string& name : library_names(files)) {
    void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library && find_all(library)) return {};
    if (first_failure.empty())
      first_failure = library ? fmt::format("{} lacks a function", name) : ::dlerror();
  }
  return first_failure;
}

}  // namespace synthoscope::cuda
