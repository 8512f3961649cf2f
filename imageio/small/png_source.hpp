// SPDX-License-Identifier: MIT
// imageio/small/png_source.hpp — the pixels of a PNG file, as they are stored: no gamma, no
// scaling.
#pragma once
#include "imageio/image/stacks.hpp"

namespace synthoscope::imageio {

/// True if the file begins with the signature of PNG.
bool is_png(const InputFile& file);

/// Reads the header: one plane of uint8 or uint16. A colour image has three channels, and so has a
/// palette image, whose colours are looked up; transparency is ignored. Values of 1, 2 and 4 bits
/// are not scaled. Pixels are unpacked when some are asked for first, and are held.
/// @throws InvalidInput  it is broken or passes a limit; also by the source's read: the pixels are
///                       broken or end early.
ImageStacks read_png(ImageInput input, const OpenOptions& options);

}  // namespace synthoscope::imageio
