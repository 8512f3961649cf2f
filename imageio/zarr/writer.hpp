// SPDX-License-Identifier: MIT
// imageio/zarr/writer.hpp — sinks that become folders of OME-Zarr.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// @throws InvalidSpec  OME-Zarr cannot hold what `spec` describes.
void check_zarr(const std::filesystem::path& path, const ImageSpec& spec);

/// Uncompressed, boxes go into the files of chunks by pwrite in any order from any thread or
/// process; compressed, whole planes in z order are packed layer by layer. The pyramid is made from
/// what was written when all of it is.
std::unique_ptr<ImageFile> create_zarr(const std::filesystem::path& path, const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_zarr(const std::filesystem::path& path, const ImageSpec& spec,
                                       const std::string& state);

/// What such a sink holds: chunks of the pyramid that are made at once and, compressed, one layer
/// of chunks.
std::int64_t zarr_bytes(const ImageSpec& spec);
std::int64_t zarr_reading_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
