// SPDX-License-Identifier: MIT
#include "studio/files/stack_file.hpp"
#include <fmt/format.h>
#include "imageio/tiff/writing/in_memory.hpp"

namespace synthoscope::studio {

std::string ome_tiff_of(const PublishedStack& stack, const std::string& name) {
  imageio::ImageSpec spec;
  spec.extent = stack.voxels->extent;
  spec.type = stack.voxels->type;
  spec.z_um = stack.voxel.z_um;
  spec.y_um = stack.voxel.y_um;
  spec.x_um = stack.voxel.x_um;
  spec.labels = name == "labels";
  if (!spec.labels) spec.channel = {stack.channel, stack.emission_nm, {}, {}};
  return imageio::tiff_in_memory(spec, stack.voxels->view(), fmt::format("{}.ome.tif", name));
}

}  // namespace synthoscope::studio
