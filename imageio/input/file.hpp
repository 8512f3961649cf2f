// SPDX-License-Identifier: MIT
// imageio/input/file.hpp — a regular file opened for reading at any offset.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include "core/base/error.hpp"

namespace synthoscope::imageio {

class ReadDigest;
class ReadDigests;

/// An input was changed during the run, so a result may be a mixture of both contents.
struct InputChanged final : InvalidInput {
  using InvalidInput::InvalidInput;
};

/// Owns a descriptor. Reads are thread-safe: they name their offset. A file that was moved from may
/// only be destroyed.
class InputFile {
 public:
  /// @param digests  get all bytes that are read; null: nothing is hashed
  /// @throws IoError  the file is missing, unreadable, or no regular file.
  explicit InputFile(const std::filesystem::path& path, ReadDigests* digests = nullptr);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Fills `out` with the bytes from `offset` on. @throws IoError
  /// @throws InputChanged  the file was cut since it was opened.
  void read_at(std::int64_t offset, std::span<std::byte> out) const;

  /// Lets the system bring `bytes` from `offset` on into memory while something else is done.
  void expect(std::int64_t offset, std::int64_t bytes) const;

  /// Reads at most `out.size()` bytes; fewer only at the end of the file. @throws IoError
  std::size_t read_some(std::int64_t offset, std::span<std::byte> out) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
  std::shared_ptr<ReadDigest> digest_;  ///< may be null
};

}  // namespace synthoscope::imageio
