// SPDX-License-Identifier: MIT
#include "textures/images/unopened_image.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"

namespace synthoscope::textures {

std::vector<UnopenedImage> unopened(const std::vector<std::filesystem::path>& paths, Planes planes,
                                    const imageio::OpenOptions& options) {
  std::vector<UnopenedImage> images;
  for (const auto& path : paths) {
    UnopenedImage image{path.string(), imageio::inspect(path, options),
                        [path, planes, options](const RunContext& context) {
                          return open_grey(path, options, planes, context);
                        }};
    if (planes == Planes::middle) image.info.extent.z = 1;
    images.push_back(std::move(image));
  }
  return images;
}

imageio::CountedImage opened(const UnopenedImage& image, const RunContext& context) {
  imageio::CountedImage found = image.open(context);
  if (found.info.extent != image.info.extent)
    throw InvalidInput(
        fmt::format("measure the texture of {}: it had {} voxels and now has {}; run again when no "
                    "program is writing to it",
                    image.name, image.info.extent, found.info.extent));
  return found;
}

}  // namespace synthoscope::textures
