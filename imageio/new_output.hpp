// SPDX-License-Identifier: MIT
// imageio/new_output.hpp — refuses before any work what could not be written after it.
#pragma once
#include <filesystem>
#include <vector>
#include "core/log.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"

namespace synthoscope::imageio {

/// `output` and the record beside it.
/// @throws InvalidSpec  one of them exists and must not be replaced, or `output` names a data set
/// of
///                      a file that holds others.
void require_new_output(const std::filesystem::path& output, bool overwrite);

/// The same for an image, whose format is `format`, or what its name says.
/// @throws InvalidSpec  so, or its name has a suffix that stands for no format.
void require_new_image(const std::filesystem::path& output, FileFormat format, bool overwrite);

/// The files that an image is written to: BigDataViewer's are two.
std::vector<std::filesystem::path> files_of_new(const std::filesystem::path& output,
                                                FileFormat format);

/// Every file that a run is to make is one of its own: neither another one that it makes, nor an
/// input, which must outlive the run. Data sets of one file are one file.
/// @throws InvalidSpec  an output is an input, or another output.
void require_apart(const std::vector<std::filesystem::path>& outputs,
                   const std::vector<std::filesystem::path>& inputs);

/// Warns when image and kernel have different voxel sizes, as far as both are known.
void warn_of_pitch_mismatch(const ImageInfo& image, const ImageInfo& kernel, Log& log);

}  // namespace synthoscope::imageio
