// SPDX-License-Identifier: MIT
// tests/support/image_files.hpp — writes a volume into a file.
#pragma once
#include <filesystem>
#include <optional>
#include <type_traits>
#include "core/base/units.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"

namespace synthoscope::test {

/// Writes `voxels` as TIFF or, by name, as HDF5. Without `pitch` the file says nothing of it.
template <class T>
void write_image(const std::filesystem::path& path, const Volume<T>& voxels,
                 const std::optional<VoxelSize>& pitch = {}) {
  imageio::ImageSpec image;
  image.extent = voxels.extent;
  image.type = pixel_type_of<T>();
  if (pitch) {
    image.z_um = pitch->z_um;
    image.y_um = pitch->y_um;
    image.x_um = pitch->x_um;
  } else {
    image.flavor = imageio::TiffFlavor::plain;
  }
  const auto sink = imageio::create_image(path, image);
  for (std::int64_t z = 0; z < voxels.extent.z; ++z) {
    const Extent3 one{1, voxels.extent.y, voxels.extent.x};
    sink->write(plane(voxels.extent, z), HostView3<const T>{voxels.view().row(z, 0), one});
  }
  sink->close();
}

}  // namespace synthoscope::test
