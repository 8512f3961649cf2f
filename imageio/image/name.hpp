// SPDX-License-Identifier: MIT
// imageio/image/name.hpp — names of images: a file, and in a file of several an array.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace synthoscope::imageio {

/// "stack.h5:/a/b" is the array /a/b of stack.h5.
struct ImageName {
  std::filesystem::path file;
  std::string data_set;  ///< begins with '/'; empty if none is named
};

/// Splits `path` at its first ":/" that follows an existing file or a name that ends in .h5 or
/// .hdf5; slashes at its end do not count. If a file has the whole of `path` as its name, it is
/// that file.
ImageName image_name(const std::filesystem::path& path);

/// Returns the file alone, without the array.
std::filesystem::path file_of(const std::filesystem::path& path);

inline constexpr std::string_view kHdf5Extensions[] = {".h5", ".hdf5"};

/// True for files called .h5 or .hdf5, in small or large letters.
bool has_hdf5_name(const std::filesystem::path& file);

/// True for names with one of these extensions, which are in small letters; the name's may be in
/// large ones.
bool has_extension(const std::filesystem::path& file, std::span<const std::string_view> known);

}  // namespace synthoscope::imageio
