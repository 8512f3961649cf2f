// SPDX-License-Identifier: MIT
#include "textures/models/texture_spec.hpp"
#include <fmt/format.h>
#include "kernels/correlate/factoring.hpp"
#include "kernels/visual_words/word_histogram.hpp"

namespace synthoscope::textures {

void require_usable(const TextureSpec& spec) {
  kernels::require_tolerance(spec.features.filters.tolerance);
  if (spec.levels < 0 || spec.levels > kernels::kMostPyramidLevels)
    throw InvalidSpec(fmt::format("measure textures: {} levels of a pyramid; give 0 ... {}",
                                  spec.levels, kernels::kMostPyramidLevels));
  if (const auto& patch = spec.patch; patch && (patch->z < 0 || patch->y < 1 || patch->x < 1))
    throw InvalidSpec(
        fmt::format("measure textures: patches of {}; give 1 voxel or more per axis", *patch));
}

Patches::Patches(const Extent3& image, const std::optional<Extent3>& patch)
    : size_{image}, counts_{1, 1, 1} {
  if (!patch) return;
  size_ = {patch->z > 0 ? patch->z : image.z, patch->y, patch->x};
  counts_ = {image.z / size_.z, image.y / size_.y, image.x / size_.x};
  if (count() == 0)
    throw InvalidSpec(
        fmt::format("cut an image into patches of {}: it has {} voxels; give smaller "
                    "patches or larger images",
                    size_, image));
}

Box3 Patches::operator[](std::int64_t which) const {
  const std::int64_t row = which / counts_.x;
  return {{row / counts_.y * size_.z, row % counts_.y * size_.y, which % counts_.x * size_.x},
          size_};
}

}  // namespace synthoscope::textures
