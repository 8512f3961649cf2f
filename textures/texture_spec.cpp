// SPDX-License-Identifier: MIT
#include "textures/texture_spec.hpp"
#include <fmt/format.h>
#include "kernels/visual_words/word_histogram.hpp"

namespace synthoscope::textures {

void require_usable(const TextureSpec& spec) {
  if (spec.levels < 0 || spec.levels > kernels::kMostPyramidLevels)
    throw InvalidSpec(fmt::format("measure textures: {} levels of a pyramid; give 0 ... {}",
                                  spec.levels, kernels::kMostPyramidLevels));
  if (const auto& patch = spec.patch; patch && (patch->z < 0 || patch->y < 1 || patch->x < 1))
    throw InvalidSpec(
        fmt::format("measure textures: patches of {}; give 1 voxel or more per axis", *patch));
}

std::vector<Box3> patches_of(const Extent3& image, const std::optional<Extent3>& patch) {
  if (!patch) return {whole(image)};
  const Extent3 size{patch->z > 0 ? patch->z : image.z, patch->y, patch->x};
  std::vector<Box3> patches;
  for (std::int64_t z = 0; z + size.z <= image.z; z += size.z)
    for (std::int64_t y = 0; y + size.y <= image.y; y += size.y)
      for (std::int64_t x = 0; x + size.x <= image.x; x += size.x)
        patches.push_back({{z, y, x}, size});
  if (patches.empty())
    throw InvalidSpec(
        fmt::format("cut an image into patches of {}: it has {} voxels; give smaller "
                    "patches or larger images",
                    size, image));
  return patches;
}

}  // namespace synthoscope::textures
