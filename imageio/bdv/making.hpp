// SPDX-License-Identifier: MIT
// imageio/bdv/making.hpp — the HDF5 file of BigDataViewer, made from chunks of all its levels.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "imageio/hdf5/writing/layout.hpp"

namespace synthoscope::imageio {

/// What each level of the pyramid of an image is, itself first: in chunks, and of the type that
/// readers expect.
std::vector<ImageSpec> bdv_level_specs(const ImageSpec& spec);

/// Chunks of all these levels.
std::int64_t bdv_chunks(std::span<const ImageSpec> levels);

/// One setup at one time; chunks come in the order of their numbers, level after level. Equal
/// chunks give equal bytes. @throws IoError, what `stored` throws.
void build_bdv(PartialFile& file, const std::vector<ImageSpec>& levels, std::int64_t stored_bytes,
               const StoredChunk& stored);

}  // namespace synthoscope::imageio
