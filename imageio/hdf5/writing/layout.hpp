// SPDX-License-Identifier: MIT
// imageio/hdf5/writing/layout.hpp — the HDF5 file of one image: made by the library, empty or from
// chunks.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include "imageio/chunks/grid.hpp"
#include "imageio/image/spec.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {

/// Makes the whole file except for its voxels, and reserves space for them from the returned offset
/// on: contiguous, or chunk after chunk. Equal arguments give equal bytes. The library has closed
/// the file on return. Files with chunks need HDF5 1.10 or later to be read. @throws IoError
std::int64_t lay_out_hdf5(PartialFile& file, const std::string& data_set, const ImageSpec& spec);

/// The bytes of a chunk; they need to live until the next call only.
using StoredChunk = std::function<std::span<const std::byte>(std::int64_t number)>;

/// Makes the whole file from chunks that are shuffled and packed already, taken in the order of
/// their numbers. Equal chunks give equal bytes. Any HDF5 can read it where it is deflated.
/// @throws IoError, what `stored` throws.
void build_hdf5(PartialFile& file, const std::string& data_set, const ImageSpec& spec,
                std::int64_t stored_bytes, const StoredChunk& stored);

}  // namespace synthoscope::imageio
