// SPDX-License-Identifier: MIT
// studio/run/made_files.hpp — files of data sets and reports that runs of the page have made.
#pragma once
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>
#include "studio/server/request.hpp"

namespace synthoscope::studio {

/// Knows what was made, and shows files of that and of nothing else. Thread-safe.
class MadeFiles {
 public:
  static constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;  ///< of a file that is shown

  explicit MadeFiles(std::filesystem::path folder) : folder_{std::move(folder)} {}

  void add_data_set(const std::string& name);
  void add_page(const std::string& name);
  [[nodiscard]] bool has_data_set(const std::string& name) const;
  [[nodiscard]] bool has_page(const std::string& name) const;

  /// Returns a file: a page by its name, or a file of a data set by the folders that lead to it.
  /// Pages are sent with a policy that allows their own styles and pictures, and no script.
  /// @param path  names of the data set, of folders in it and of the file
  /// @throws RequestFailure  404: it is no such file, or a symbolic link leads to it; 413: it has
  ///                         more than kMostBytes.
  [[nodiscard]] Response show(const std::vector<std::string>& path) const;

 private:
  [[nodiscard]] bool is_made(const std::vector<std::string>& path) const;

  const std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::set<std::string> data_sets_, pages_;
};

}  // namespace synthoscope::studio
