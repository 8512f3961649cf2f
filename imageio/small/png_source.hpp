// SPDX-License-Identifier: MIT
// imageio/small/png_source.hpp — the pixels of a PNG file, as they are stored: no gamma, no
// scaling.
#pragma once
#include <memory>
#include "core/stream/stream.hpp"
#include "imageio/image/info.hpp"
#include "imageio/input/file.hpp"

namespace synthoscope::imageio {

/// True if the file begins with the signature of PNG.
bool is_png(const InputFile& file);

/// Reads the header: one plane of uint8 or uint16. A colour image has three channels, and so has a
/// palette image, whose colours are looked up; transparency is ignored. Values of 1, 2 and 4 bits
/// are not scaled.
/// @throws InvalidInput  it is broken or passes a limit.
ImageInfo read_png_info(const InputFile& file, const InputLimits& limits);

/// Bytes of all samples, which a source of the file holds after its first read.
std::int64_t png_source_bytes(const ImageInfo& info);

/// The same with what unpacking holds: rows of libpng and the state of zlib.
std::int64_t png_reading_bytes(const ImageInfo& info);

/// The pixels of one channel. They are unpacked when some are asked for first.
/// @throws InvalidInput  also by the source's read: the pixels are broken or end early.
std::unique_ptr<Source> make_png_source(const ImageInfo& info, std::int64_t channel);

}  // namespace synthoscope::imageio
