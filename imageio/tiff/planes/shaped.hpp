// SPDX-License-Identifier: MIT
// imageio/tiff/planes/shaped.hpp — places the planes of a TIFF that tifffile described by the shape
// of its array: {"shape": [2, 5, 64, 64], "axes": "CZYX"}.
#pragma once
#include <optional>
#include <string_view>
#include <vector>
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {

/// True if a description looks like tifffile's.
bool is_shaped(std::string_view text);

/// Fills `stacks`, whose file has the full-size pages `pages`, with planes in the order of storage
/// and the voxel size. A file may hold several arrays, one after the other: `options.image`
/// chooses. Returns the axes of the planes; nothing, with a note, if the description does not fit
/// the file.
/// @throws InvalidInput, InvalidSpec
/// @source  tifffile 2023, TiffFile._series_shaped
std::optional<AxesOfFile> place_shaped_planes(std::string_view text,
                                              const std::vector<std::int64_t>& pages,
                                              const OpenOptions& options, TiffStacks& stacks);

}  // namespace synthoscope::imageio
