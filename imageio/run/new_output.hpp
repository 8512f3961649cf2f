// SPDX-License-Identifier: MIT
// imageio/run/new_output.hpp — refuses before any work what could not be written after it.
#pragma once
#include <filesystem>
#include "core/base/log.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"

namespace synthoscope::imageio {

/// Checks that `output` and its record may be created.
/// @throws InvalidSpec  one of them exists and must not be replaced, or `output` names an array
///                      of a file that holds others.
void require_new_output(const std::filesystem::path& output, bool overwrite);

/// The same for an image of `format`, or of the format that its name says.
/// @throws InvalidSpec  as above, or no format has the suffix of its name.
void require_new_image(const std::filesystem::path& output, FileFormat format, bool overwrite);

/// Warns when image and kernel have different voxel sizes, as far as both are known.
void warn_of_pitch_mismatch(const ImageInfo& image, const ImageInfo& kernel, Log& log);

}  // namespace synthoscope::imageio
