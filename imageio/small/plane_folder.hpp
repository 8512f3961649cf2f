// SPDX-License-Identifier: MIT
// imageio/small/plane_folder.hpp — a folder of single planes, TIFF or PNG files, as one image.
#pragma once
#include <filesystem>
#include "imageio/image/stacks.hpp"

namespace synthoscope::imageio {

/// True if the folder holds files with the extension of TIFF or PNG, and neither a Zarr nor a data
/// set of this program.
bool is_plane_folder(const std::filesystem::path& folder);

/// Reads the headers of all planes. Their names give the order along z. Numbers in names are
/// compared as numbers, so plane_2 comes before plane_10. Files of other extensions are passed
/// over. The distance between planes is unknown; the pixel size is that of the first plane. Some
/// planes are open at once, within `cache_bytes` of the options.
/// @throws InvalidInput  a file holds more than one plane, or differs from the first in size, type
///                       or channels; and as the readers of TIFF and PNG. The source throws it if a
///                       file has become another one.
ImageStacks read_plane_folder(ImageInput input, const OpenOptions& options);

}  // namespace synthoscope::imageio
