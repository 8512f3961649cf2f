// SPDX-License-Identifier: MIT
// tests/support/temporary_folder.hpp — an empty folder that goes with the test.
#pragma once
#include <stdlib.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

namespace synthoscope::test {

class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "synthoscope-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::system_error{errno, std::generic_category(), name};
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const {
    return path_ / name;
  }

  /// Writes a file and returns its path.
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    // Some file systems flush a file that is emptied and written again, which takes milliseconds
    std::filesystem::remove(path_ / name);
    std::ofstream{path_ / name, std::ios::binary} << content;
    return path_ / name;
  }

  /// Names of everything in the folder.
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{path_})
      names.insert(entry.path().filename().string());
    return names;
  }

 private:
  std::filesystem::path path_;
};

/// Of a folder the names and contents of all files in it, in the order of their names.
inline std::string content_of(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{path})
      if (entry.is_regular_file())
        files[entry.path().lexically_relative(path).string()] = content_of(entry.path());
    std::string all;
    for (const auto& [name, content] : files)
      all.append(name).append(":").append(content).append("\n");
    return all;
  }
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace synthoscope::test
