// SPDX-License-Identifier: MIT
// imageio/hdf5/writing/writer.hpp — files of HDF5 that are written.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// @throws InvalidSpec  HDF5 cannot hold what `spec` describes, or `path` names no array that
///                      may be.
void check_hdf5(const std::filesystem::path& path, const ImageSpec& spec);

/// `path` may name the array; the default is /image.
std::unique_ptr<ImageFile> create_hdf5(const std::filesystem::path& path, const ImageSpec& spec);
std::unique_ptr<ImageFile> resume_hdf5(const std::filesystem::path& path, const ImageSpec& spec,
                                       const std::string& state);

/// What such a sink holds.
std::int64_t hdf5_bytes(const ImageSpec& spec);
std::int64_t hdf5_reading_bytes(const ImageSpec& spec);

}  // namespace synthoscope::imageio
