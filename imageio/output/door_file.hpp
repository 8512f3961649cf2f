// SPDX-License-Identifier: MIT
// imageio/output/door_file.hpp — a lock file with content: processes that share a result, on one
// machine or several, hold it in turn and leave notes for each other in it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace synthoscope::imageio {

/// Held from its construction to its end. A door on which nothing is written goes with its holder.
class DoorFile {
 public:
  /// Waits for the lock. @throws IoError  the file cannot be created, opened or locked.
  explicit DoorFile(std::filesystem::path path);
  DoorFile(const DoorFile&) = delete;
  DoorFile& operator=(const DoorFile&) = delete;
  ~DoorFile();

  /// What is written on it: perhaps cut off, by a process that ended while it wrote.
  /// @throws IoError
  [[nodiscard]] std::string text() const;

  /// In place of what was written before; on the disk when this returns. @throws IoError
  void write(std::string_view text);

  /// Nobody else is to come: the file goes.
  void remove() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace synthoscope::imageio
