// SPDX-License-Identifier: MIT
// imageio/small/png_preview.hpp — writes 8-bit pictures for people to look at.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace synthoscope::imageio {

/// An 8-bit PNG as the bytes of its file. Parameters as below.
/// @throws InvalidSpec  width or height is not in 1 ... 2^20.
std::vector<std::byte> png_bytes(std::int64_t width, std::int64_t height,
                                 std::span<const std::uint8_t> pixels);

/// Writes an 8-bit PNG that appears under its name only when it is whole.
/// @param pixels  row by row from the top, `width * height` bytes for grey or three times as many
///                for RGB (r, g, b, r, ...); the number of bytes says which.
/// @throws InvalidSpec  `path` exists and `overwrite` is not set, or width or height is not in
///                      1 ... 2^20.
/// @throws IoError      the file cannot be written.
void write_png(const std::filesystem::path& path, std::int64_t width, std::int64_t height,
               std::span<const std::uint8_t> pixels, bool overwrite);

}  // namespace synthoscope::imageio
