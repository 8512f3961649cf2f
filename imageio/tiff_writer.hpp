// SPDX-License-Identifier: MIT
// imageio/tiff_writer.hpp — sinks that become TIFF files.
#pragma once
#include <filesystem>
#include <memory>
#include "imageio/create.hpp"

namespace synthoscope::imageio {

/// Laid out whole before the first voxel; boxes go in by pwrite in any order from any thread.
std::unique_ptr<Sink> create_laid_out_tiff(const std::filesystem::path& path,
                                           const ImageSpec& spec);

/// Through libtiff, whole planes in z order.
std::unique_ptr<Sink> create_compressed_tiff(const std::filesystem::path& path,
                                             const ImageSpec& spec);

}  // namespace synthoscope::imageio
