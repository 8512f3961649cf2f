// SPDX-License-Identifier: MIT
#include "imageio/open.hpp"

namespace synthoscope::imageio {

std::optional<VoxelSize> ImageInfo::voxel_size() const {
  if (!z_um || !y_um || !x_um) return std::nullopt;
  return VoxelSize{*z_um, *y_um, *x_um};
}

}  // namespace synthoscope::imageio
