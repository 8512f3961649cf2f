// SPDX-License-Identifier: MIT
// imageio/image/ending.hpp — the end of a file's name that says its format.
#pragma once
#include <string_view>
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// Returns the usual end of the name of a new image, such as ".ome.tif".
/// @param format  `by_name` counts as TIFF
inline std::string_view ending_of(FileFormat format, TiffFlavor flavor) {
  switch (format) {
    case FileFormat::hdf5:
    case FileFormat::bdv:
      return ".h5";
    case FileFormat::zarr:
    case FileFormat::zarr3:
      return ".ome.zarr";
    case FileFormat::by_name:
    case FileFormat::tiff:
      break;
  }
  return flavor == TiffFlavor::ome ? ".ome.tif" : ".tif";
}

}  // namespace synthoscope::imageio
