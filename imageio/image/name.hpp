// SPDX-License-Identifier: MIT
// imageio/image/name.hpp — names of images: a file, and in a file of several a data set.
#pragma once
#include <filesystem>
#include <string>

namespace synthoscope::imageio {

/// "stack.h5:/a/b" is the data set /a/b of stack.h5.
struct ImageName {
  std::filesystem::path file;
  std::string data_set;  ///< begins with '/'; empty if none is named
};

/// Splits `path` at its first ":/" that follows an existing file or a name that ends in .h5 or
/// .hdf5; slashes at its end do not count. If a file has the whole of `path` as its name, it is
/// that file.
ImageName image_name(const std::filesystem::path& path);

/// Returns the file alone, without the data set.
std::filesystem::path file_of(const std::filesystem::path& path);

/// True for files called .h5 or .hdf5, in small or large letters.
bool has_hdf5_name(const std::filesystem::path& file);

/// True for folders called .zarr, such as "image.ome.zarr".
bool has_zarr_name(const std::filesystem::path& folder);

/// Returns true for names that end in .tif or .tiff, or in .btf, .tf2 or .tf8, which large files
/// have.
bool has_tiff_name(const std::filesystem::path& file);

}  // namespace synthoscope::imageio
