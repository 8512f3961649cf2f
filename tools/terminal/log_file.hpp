// SPDX-License-Identifier: MIT
// tools/terminal/log_file.hpp — a file that keeps what a run said and how long its stages took.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace synthoscope::tools {

/// Lines are appended, each by one write, so that several processes may share a file:
///
///     2026-11-23T22:48:09.123Z 4711 warning the kernel's border carries 3 % of its sum
///
/// time (UTC), process, what it is (start, detail, note, warning, error, stage, end), and the rest.
class LogFile {
 public:
  /// Opens or makes `path` and writes its first line, of what was asked for.
  /// @throws InvalidSpec  what is there is no log, such as an image.
  /// @throws IoError      it cannot be opened or written.
  LogFile(std::filesystem::path path, std::string_view command_line);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// What `sentence` has of ends of lines becomes blanks. @returns 0, or the errno of the failure.
  int add(std::string_view kind, std::string_view sentence);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace synthoscope::tools
