// SPDX-License-Identifier: MIT
// imageio/tiff/writing/in_memory.hpp — the bytes of a TIFF that is not written to a disk.
#pragma once
#include <string>
#include <string_view>
#include "core/volume/view.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// Returns the bytes of an uncompressed file with these voxels, as create_image writes it.
/// @param spec    of the flavours ome or plain, with the extent and the type of `voxels`
/// @param voxels  contiguous
/// @param name    of the file
/// @throws InvalidSpec  as create_image
std::string tiff_in_memory(const ImageSpec& spec, ConstVoxelView voxels, std::string_view name);

}  // namespace synthoscope::imageio
