// SPDX-License-Identifier: MIT
// imageio/small/ics_source.hpp — the voxels of an Image Cytometry Standard file.
#pragma once
#include <memory>
#include "core/stream/stream.hpp"
#include "imageio/small/ics_header.hpp"

namespace synthoscope::imageio {

/// What a source of `header` holds: all voxels, if they are packed.
std::int64_t ics_bytes(const IcsHeader& header);

/// Raw voxels are read where they are asked for; packed ones at once.
/// @throws IoError       the file of the voxels is missing or cannot be read.
/// @throws InvalidInput  it holds fewer voxels than the header says, is broken, or the header says
///                       more than --max-ratio times what lies there.
std::unique_ptr<Source> make_ics_source(const IcsHeader& header, const InputLimits& limits);

}  // namespace synthoscope::imageio
