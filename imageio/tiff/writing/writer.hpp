// SPDX-License-Identifier: MIT
// imageio/tiff/writing/writer.hpp — files of TIFF that are written.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// @throws InvalidSpec  the flavour of TIFF cannot hold what `spec` describes.
void check_tiff(const std::filesystem::path& path, const ImageSpec& spec);

std::shared_ptr<BegunFile> begin_tiff(const std::filesystem::path& path, const ImageSpec& spec);
std::unique_ptr<ImageFile> create_tiff(const std::filesystem::path& path, const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_tiff(const std::filesystem::path& path, const ImageSpec& spec,
                                       const std::string& state);

/// What such a sink holds.
std::int64_t tiff_bytes(const ImageSpec& spec);
std::int64_t tiff_reading_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
