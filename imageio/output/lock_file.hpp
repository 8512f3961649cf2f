// SPDX-License-Identifier: MIT
// imageio/output/lock_file.hpp — a lock file with content: processes that share a result, on one
// machine or several, hold it in turn and leave notes for each other in it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace synthoscope::imageio {

/// Held from construction to destruction. A lock file without text is removed by its holder.
class LockFile {
 public:
  /// Waits for the lock. @throws IoError  the file cannot be created, opened or locked.
  explicit LockFile(std::filesystem::path path);
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile();

  /// Returns the text; it may be cut off if a process ended while it wrote.
  /// @throws IoError
  [[nodiscard]] std::string text() const;

  /// Replaces the text; it is on the disk when this returns. @throws IoError
  void write(std::string_view text);

  /// Removes the file, since no other process will need it.
  void remove() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace synthoscope::imageio
