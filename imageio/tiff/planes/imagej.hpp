// SPDX-License-Identifier: MIT
// imageio/tiff/planes/imagej.hpp — places the planes of an ImageJ hyperstack in pages, or in the
// one page of its stacks beyond 4 GB.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "imageio/input/key_lines.hpp"
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {

struct ImagejShape {
  std::int64_t channels = 1, slices = 1, frames = 1;
};

/// The shape that a description gives to `images` planes; either of slices and frames may be left
/// out. Nothing when it does not fit.
std::optional<ImagejShape> imagej_shape(const KeyLines& lines, std::int64_t images);

/// Fills `stacks`, whose file has the full-size pages `pages`, with planes in the order of storage
/// and the voxel size. Returns the axes of the planes.
/// @throws InvalidInput
/// @source  ImageJ 1.x, ij/io/TiffDecoder.java, FileOpener.java and FileSaver.java: order of planes
///          XYCZT; a stack beyond 4 GB has one directory, and its planes follow the first one;
///          signed 16 bits are stored with an offset that the calibration takes off.
AxesOfFile place_imagej_planes(const KeyLines& lines, const std::vector<std::int64_t>& pages,
                               const InputLimits& limits, TiffStacks& stacks);

}  // namespace synthoscope::imageio
