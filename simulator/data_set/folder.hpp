// SPDX-License-Identifier: MIT
// simulator/data_set/folder.hpp — a folder of files that appears under its name only when whole.
#pragma once
#include <filesystem>
#include <string>
#include "imageio/output/partial_folder.hpp"

namespace synthoscope::simulator {

using imageio::KnownNames;

/// A folder that is filled as `path`.partial; `commit` gives it its name. Without a commit, the
/// destructor removes it. An older folder under `path` is not touched before `commit`, which
/// replaces it in one step if the file system can exchange two names.
class DataSetFolder {
 public:
  /// Makes the folder, and empties what a killed run left under `path`.partial. `overwrite`
  /// replaces an older folder only if it holds nothing but `known` names and such names with
  /// ".partial" appended.
  /// @throws InvalidSpec  `path` exists and `overwrite` is not set, or it holds other files.
  /// @throws IoError      the parent folder is missing or not writable, or another run is writing
  ///                      the same data set.
  DataSetFolder(const std::filesystem::path& path, bool overwrite, const KnownNames& known);
  DataSetFolder(const DataSetFolder&) = delete;
  DataSetFolder& operator=(const DataSetFolder&) = delete;
  ~DataSetFolder();

  /// Throws as the constructor for an older folder, without touching anything: for callers that
  /// have work to do before. @throws InvalidSpec
  static void require_free(const std::filesystem::path& path, bool overwrite,
                           const KnownNames& known);

  /// Makes a folder inside; its parent must exist. @throws IoError
  void make_folder(const std::string& folder) const;

  /// Returns the present path of `file`.
  [[nodiscard]] std::filesystem::path operator/(const std::string& file) const {
    return partial_ / file;
  }

  /// Flushes the folder and those inside, and renames it. If another process has made a folder of
  /// the same name meanwhile, both are kept, and this one keeps its partial name.
  /// @throws IoError
  void commit();

 private:
  std::filesystem::path path_, partial_;
  int descriptor_ = -1;
  bool overwrite_;
  KnownNames known_;
  bool committed_ = false, kept_ = false;
};

}  // namespace synthoscope::simulator
