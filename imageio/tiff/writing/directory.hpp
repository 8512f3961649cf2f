// SPDX-License-Identifier: MIT
// imageio/tiff/writing/directory.hpp — the bytes of a TIFF other than its pixels: head and
// directories.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "imageio/image/spec.hpp"
#include "imageio/tiff/planes/description.hpp"

namespace synthoscope::imageio {

/// Where the head of a file keeps what its directories share.
struct TiffHead {
  bool is_big = false;
  std::int64_t description_offset = 0, description_bytes = 0;
  std::int64_t x_offset = 0, y_offset = 0;  ///< of the fractions
  std::int64_t end = 0;  ///< a multiple of 8; the first directory is expected here
  TiffResolution resolution;
};

/// How a plane's pixels are stored.
struct TiffStrips {
  std::uint16_t compression = 1, predictor = 1;  ///< TIFF's codes
  std::int64_t rows = 0;                         ///< of one strip
  std::span<const std::int64_t> offsets, bytes;  ///< of every strip
};

/// Header, description and fractions in the host's byte order, appended to the empty `out`.
/// @source  TIFF 6.0 (Adobe, 1992); BigTIFF.
TiffHead put_head(std::vector<std::byte>& out, const ImageSpec& spec,
                  const std::string& description, bool is_big);

/// Appends one directory, which will lie at `offset` of the file and links to the one at `next`
/// (0: it is the last). Its length, directory_bytes, is a multiple of 8 that depends on the head,
/// on `is_first`, and on the number of strips and whether they have a predictor.
void put_directory(std::vector<std::byte>& out, const ImageSpec& spec, const TiffHead& head,
                   bool is_first, const TiffStrips& strips, std::int64_t offset, std::int64_t next);

/// Bytes that put_directory will append.
std::int64_t directory_bytes(const TiffHead& head, bool is_first, std::int64_t strips,
                             bool has_predictor);

/// TIFF's code for the kind of numbers: 1 unsigned, 2 signed, 3 floating point.
std::uint16_t sample_format_of(PixelType type);

}  // namespace synthoscope::imageio
