// SPDX-License-Identifier: MIT
// imageio/tiff/writing/layout.hpp — where everything in an uncompressed TIFF lies, before a pixel
// exists.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// head | planes back to back. The head holds the file header, the description and all
/// directories in one block.
struct TiffLayout {
  bool is_big = false;
  std::vector<std::byte> head;          ///< written at byte 0
  std::int64_t description_offset = 0;  ///< in the head
  std::int64_t pixels_offset = 0;       ///< of plane 0
  std::int64_t plane_bytes = 0;
  std::int64_t total_bytes = 0;
};

/// Lays out a file in the host's byte order; BigTIFF where a classic one could pass 4 GB - 32 MB
/// or `spec.force_bigtiff` is set. ImageJ files are always classic; beyond that size they have one
/// directory for all planes.
/// @throws InvalidSpec  sizes do not fit: see create_image.
/// @source  TIFF 6.0 (Adobe, 1992); BigTIFF; ImageJ 1.x, ij/io/TiffEncoder.java.
TiffLayout lay_out_tiff(const std::filesystem::path& path, const ImageSpec& spec,
                        const std::string& description);

/// Returns where the file stores plane `z` of the order of ImageSpec::extent, counted from its
/// first plane. ImageJ stores the channels of a plane one after another.
/// @source  ImageJ 1.x, ij/ImagePlus.java, getStackIndex
std::int64_t stored_plane(const ImageSpec& spec, std::int64_t z);

/// True if pixels of `payload_bytes` need BigTIFF.
bool needs_bigtiff(const ImageSpec& spec, std::int64_t payload_bytes);

}  // namespace synthoscope::imageio
