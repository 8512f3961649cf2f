// SPDX-License-Identifier: MIT
// imageio/small/ics_header.hpp — what the header of an Image Cytometry Standard file says.
#pragma once
#include <filesystem>
#include <optional>
#include "imageio/image/info.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

/// One stack of voxels, x fastest, in a file of raw or packed bytes.
struct IcsHeader {
  ImageInfo info;
  std::filesystem::path data;  ///< holds the voxels: this file, or one in its folder
  std::int64_t offset = 0;     ///< of the first byte there
  bool is_packed = false;      ///< by gzip
  bool is_swapped = false;     ///< bytes lie in the order that is not the host's
};

/// True if the file starts as headers of versions 1.0 and 2.0 do.
bool is_ics(const InputFile& file);

/// Reads a header of at most one MiB. The axes are x, y and z in this order; others must have one
/// element.
/// @throws InvalidInput  it is broken, passes a limit, or describes what is not supported: other
///                       axes or orders, complex numbers, unsupported numbers of bits, Unix
///                       compress.
/// @source Dean, Mascio, Ow, Sudar and Mullikin, Cytometry 11 (1990) 561; version 2.0 adds voxels
///         after the header.
IcsHeader read_ics_header(const InputFile& file, const InputLimits& limits);

}  // namespace synthoscope::imageio
