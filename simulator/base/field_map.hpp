// SPDX-License-Identifier: MIT
// simulator/base/field_map.hpp — an image file that holds one number for every pixel of the field.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace synthoscope::simulator {

/// Bytes per pixel while a map is read, in addition to the four that are kept.
inline constexpr std::int64_t kMapReadingBytes = 8;

/// Reads the values [y, x] of the image `path`; `what` names it in messages: "the camera's gain
/// map".
/// @throws InvalidInput  it has another size or several planes, or holds NaN, infinity or a
///                       negative value.
/// @throws what imageio::open_image throws.
std::vector<float> read_field_map(std::string_view what, const std::filesystem::path& path,
                                  std::int64_t height, std::int64_t width);

}  // namespace synthoscope::simulator
