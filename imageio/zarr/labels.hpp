// SPDX-License-Identifier: MIT
// imageio/zarr/labels.hpp — the list of the label images that lie in an image of OME-Zarr.
#pragma once
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// Says in the folder "labels" of `image` that these folders in it are label images; each of them
/// says in "image-label" that it is one.
/// @param format  zarr or zarr3, as of the image
/// @throws InvalidSpec  there is a list already.  @throws IoError
/// @source  OME-NGFF 0.4 and 0.5, "labels" metadata, https://ngff.openmicroscopy.org
void write_label_list(const std::filesystem::path& image, FileFormat format,
                      const std::vector<std::string>& names);

}  // namespace synthoscope::imageio
