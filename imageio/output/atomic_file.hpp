// SPDX-License-Identifier: MIT
// imageio/output/atomic_file.hpp — writes a small file whole or not at all.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace synthoscope::imageio {

/// Writes `content` to `path`.partial, syncs it and renames it to `path`.
/// @throws InvalidSpec  `path` exists and `overwrite` is not set.
/// @throws IoError      the folder is missing or not writable, or the disk is full; no partial file
///                      remains and an older `path` is unchanged.
void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           bool overwrite);
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> content,
                           bool overwrite);

}  // namespace synthoscope::imageio
