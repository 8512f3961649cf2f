// SPDX-License-Identifier: MIT
// studio/server/unnamed_file.hpp — a temporary file that is in no folder, so that nothing remains
// of it, however the program ends.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace synthoscope::studio {

class UnnamedFile {
 public:
  /// @param folder  whose disk has space for it; if its file system only has files with names, the
  ///                folder of the system for temporary files is used
  /// @throws IoError  neither can hold it.
  explicit UnnamedFile(const std::filesystem::path& folder);
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile();

  /// Adds bytes at the end. @throws IoError  the disk is full.
  void append(std::string_view bytes);

  [[nodiscard]] std::int64_t size() const { return size_; }

  /// Returns a path by which this process can open the file for reading.
  [[nodiscard]] std::filesystem::path path() const;

  /// Reads at most `out.size()` bytes at `offset`; fewer only at the end. @throws IoError
  std::size_t read_some(std::int64_t offset, std::span<std::byte> out) const;

 private:
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace synthoscope::studio
