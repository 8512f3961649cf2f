// SPDX-License-Identifier: MIT
// imageio/tiff/writing/strip_coder.hpp — compresses the strips of a plane, each alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// TIFF's codes for how the strips of `spec` are stored.
std::uint16_t compression_code(Compression compression);
std::uint16_t predictor_code(const ImageSpec& spec);

/// Rows of a strip: small enough to decode a part of a plane, large enough to compress.
std::int64_t rows_per_strip(const ImageSpec& spec);

/// True if this libtiff was built with it.
bool can_compress(Compression compression);

/// Bytes that a compressed strip of `bytes` can have at most.
std::int64_t largest_strip(Compression compression, std::int64_t bytes);

/// Returns the memory that a codec needs to compress one strip, in addition to the strip.
std::int64_t codec_bytes(Compression compression);

/// Compresses `rows` rows into `out`, which it replaces; `voxels` are changed on the way. Several
/// threads may compress at once. Equal voxels give equal bytes.
/// @throws IoError  libtiff refused.
void compress_strip(const ImageSpec& spec, std::int64_t rows, std::span<std::byte> voxels,
                    std::vector<std::byte>& out);

}  // namespace synthoscope::imageio
