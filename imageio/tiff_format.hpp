// SPDX-License-Identifier: MIT
// imageio/tiff_format.hpp — reads how a TIFF page is stored and refuses what cannot be read here.
#pragma once
#include "imageio/tiff_index.hpp"
#include "imageio/tiff_tags.hpp"

namespace synthoscope::imageio {

/// Checks one directory against the limits and the types that are read.
/// @throws InvalidInput
TiffFormat read_format(TiffTags& tags, const TiffRawDirectory& directory,
                       const std::filesystem::path& path, const InputLimits& limits);

}  // namespace synthoscope::imageio
