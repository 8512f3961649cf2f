// SPDX-License-Identifier: MIT
// imageio/image/name.hpp — names of images: a file, and in a file of several a data set.
#pragma once
#include <filesystem>
#include <string>

namespace synthoscope::imageio {

/// "stack.h5:/a/b" is the data set /a/b of stack.h5.
struct ImageName {
  std::filesystem::path file;
  std::string data_set;  ///< begins with '/'; empty where none is named
};

/// Splits `path`, but for slashes at its end, at its first ":/" behind a file that exists or is
/// called .h5 or .hdf5; a file that is called like all of `path` is meant as a whole.
ImageName image_name(const std::filesystem::path& path);

/// The file alone, for whoever asks about the file and not about the image in it.
std::filesystem::path file_of(const std::filesystem::path& path);

/// True for files called .h5 or .hdf5, in small or large letters.
bool has_hdf5_name(const std::filesystem::path& file);

/// True for folders called .zarr, such as "image.ome.zarr".
bool has_zarr_name(const std::filesystem::path& folder);

/// True for files called .tif or .tiff, and for those of large files: .btf, .tf2, .tf8.
bool has_tiff_name(const std::filesystem::path& file);

}  // namespace synthoscope::imageio
