// SPDX-License-Identifier: MIT
#include "imageio/image/spec.hpp"
#include "imageio/image/name.hpp"

namespace synthoscope::imageio {

FileFormat format_of(const std::filesystem::path& path, FileFormat format) {
  if (format != FileFormat::by_name) return format;
  if (has_zarr_name(file_of(path))) return FileFormat::zarr;
  return has_hdf5_name(file_of(path)) ? FileFormat::hdf5 : FileFormat::tiff;
}

}  // namespace synthoscope::imageio
