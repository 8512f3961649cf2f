// SPDX-License-Identifier: MIT
// simulator/data_set_folder.hpp — a folder of files that appears under its name only when whole.
#pragma once
#include <filesystem>
#include <string>
#include "imageio/output/partial_folder.hpp"

namespace synthoscope::simulator {

using imageio::KnownNames;

/// Grows as `path`.partial; `commit` gives it its name. Destroyed before, it removes what it holds.
/// An older folder under `path` is not touched before `commit`, which replaces it as one step
/// where the file system can exchange two names.
class DataSetFolder {
 public:
  /// An older folder may hold `known` names alone, and such with ".partial" behind, for `overwrite`
  /// to replace it.
  /// What a killed run left under `path`.partial is emptied.
  /// @throws InvalidSpec  `path` exists and `overwrite` is not set, or it holds other files.
  /// @throws IoError      the parent folder is missing or not writable, or another run is writing
  ///                      the same data set.
  DataSetFolder(std::filesystem::path path, bool overwrite, const KnownNames& known);
  DataSetFolder(const DataSetFolder&) = delete;
  DataSetFolder& operator=(const DataSetFolder&) = delete;
  ~DataSetFolder();

  /// What the constructor says of an older folder, without touching anything: for callers that have
  /// work to do before. @throws InvalidSpec
  static void require_free(const std::filesystem::path& path, bool overwrite,
                           const KnownNames& known);

  /// A folder inside, in one that is there. @throws IoError
  void make_folder(const std::string& folder) const;

  /// Where `file` is to be written now.
  [[nodiscard]] std::filesystem::path operator/(const std::string& file) const {
    return partial_ / file;
  }

  /// Flushes the folder and those inside, and renames it. If others made one of that name
  /// meanwhile, it stays as it is, and so does the whole set under its partial name. @throws
  /// IoError
  void commit();

 private:
  std::filesystem::path path_, partial_;
  int descriptor_ = -1;
  bool overwrite_;
  KnownNames known_;
  bool committed_ = false, kept_ = false;
};

}  // namespace synthoscope::simulator
