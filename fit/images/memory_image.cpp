// SPDX-License-Identifier: MIT
#include "fit/images/memory_image.hpp"
#include <memory>
#include <utility>

namespace synthoscope::fit {
namespace {

imageio::CountedImage opened_from_memory(const LabelledImage& image, ConstVoxelView voxels) {
  imageio::CountedImage result;
  result.info.path = image.name;
  result.info.extent = voxels.extent();
  result.info.type = voxels.type();
  result.info.z_um = image.grid.pitch.z_um;
  result.info.y_um = image.grid.pitch.y_um;
  result.info.x_um = image.grid.pitch.x_um;
  result.source = std::make_unique<MemorySource>(voxels);
  return result;
}

}  // namespace

textures::ImageToMeasure image_to_measure(const LabelledImage& image) {
  textures::ImageToMeasure result;
  result.name = image.name;
  result.open = [&image](const RunContext&) {
    return opened_from_memory(image, ConstVoxelView{image.counts.view()});
  };
  if (image.has_labels())
    result.open_labels = [&image](const RunContext&) {
      return opened_from_memory(image, ConstVoxelView{image.labels.view()});
    };
  return result;
}

}  // namespace synthoscope::fit
