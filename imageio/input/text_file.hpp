// SPDX-License-Identifier: MIT
// imageio/input/text_file.hpp — the whole of a text file, or the failure.
#pragma once
#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>

namespace synthoscope::imageio {

/// More bytes than any scene, plan or camera has. Parsed, they take some tens of MiB.
constexpr std::int64_t kMaxSettingsBytes = std::int64_t{1} << 20;

/// More bytes than records of large data sets and tables of points have.
constexpr std::int64_t kMaxRecordBytes = std::int64_t{1} << 28;

/// Reads a whole text file, or a pipe to its end.
/// @throws IoError       it cannot be opened or read.
/// @throws InvalidInput  it is longer than `most_bytes`: a file of another kind, or one that never
///                       ends.
std::string read_text(const std::filesystem::path& path,
                      std::int64_t most_bytes = kMaxSettingsBytes);

/// To be called after reading lines to the end: a failing disk also ends them.
/// @throws IoError  `file`, named `path`, failed before its end.
void require_read(const std::istream& file, const std::filesystem::path& path);

}  // namespace synthoscope::imageio
