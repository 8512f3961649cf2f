// SPDX-License-Identifier: MIT
#include "jobs/output/file_choice.hpp"

namespace synthoscope::jobs {

void FileChoice::apply(imageio::ImageSpec& spec) const {
  spec.format = format;
  spec.flavor = flavor;
  spec.compression = compression;
  spec.chunks = chunks;
  spec.labels = labels;
  spec.overwrite = overwrite;
}

imageio::ImageSpec spec_like(const imageio::ImageInfo& info, const Extent3& extent, PixelType type,
                             const FileChoice& choice) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = type;
  spec.z_um = info.z_um;
  spec.y_um = info.y_um;
  spec.x_um = info.x_um;
  spec.channel = info.channel;
  choice.apply(spec);
  return spec;
}

}  // namespace synthoscope::jobs
