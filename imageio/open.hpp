// SPDX-License-Identifier: MIT
// imageio/open.hpp — opens an image file by its content and says what is in it.
// A path may name an array of an HDF5 file, "stack.h5:/path/to/it", or a folder of Zarr.
#pragma once
#include <filesystem>
#include "imageio/image/info.hpp"

namespace synthoscope::imageio {

/// Reads everything a file says about itself, without choosing a stack. Uses `image`, `axes`,
/// `labels` and `limits` of the options.
/// @throws IoError      the file is missing or cannot be read.
/// @throws InvalidInput it is no image, broken, unsupported, or passes a limit.
/// @throws InvalidSpec  there is no such image, or the axes do not fit the file.
ImageInfo inspect(const std::filesystem::path& path, const OpenOptions& options = {});

/// Opens one stack of a file. @throws as inspect, and InvalidSpec when a channel or frame must be
/// chosen (the message names the option) or does not exist; inspect throws it when an array must.
OpenImage open_image(const std::filesystem::path& path, const OpenOptions& options = {});

}  // namespace synthoscope::imageio
