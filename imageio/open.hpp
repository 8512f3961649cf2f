// SPDX-License-Identifier: MIT
// imageio/open.hpp — opens an image file by its content and says what is in it.
// A path may name an array of an HDF5 file, "stack.h5:/path/to/it", or a folder of Zarr.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include "imageio/image/info.hpp"
#include "imageio/image/stacks.hpp"

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

/// Describes a file and opens its stacks later, each without reading the description again.
/// Ignores `channel` and `frame` of the options. @throws as inspect
ImageStacks open_stacks(const std::filesystem::path& path, const OpenOptions& options = {});

/// Returns `choice` if there is such a channel or frame. Without a choice there must be only one.
/// @param what  "channel" or "frame"
/// @throws InvalidSpec  the choice is missing or does not exist.
std::int64_t chosen_stack(const std::filesystem::path& path, std::string_view what,
                          std::int64_t count, std::optional<std::int64_t> choice);

}  // namespace synthoscope::imageio
