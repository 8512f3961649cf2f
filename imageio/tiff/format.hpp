// SPDX-License-Identifier: MIT
// imageio/tiff/format.hpp — reads how a TIFF page is stored and refuses what cannot be read here.
#pragma once
#include "imageio/tiff/index.hpp"
#include "imageio/tiff/tags.hpp"

namespace synthoscope::imageio {

/// Checks one directory against the limits and the types that are read.
/// @throws InvalidInput
TiffFormat read_format(TiffTags& tags, const TiffRawDirectory& directory,
                       const std::filesystem::path& path, const InputLimits& limits);

}  // namespace synthoscope::imageio
