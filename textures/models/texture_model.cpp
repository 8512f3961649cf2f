// SPDX-License-Identifier: MIT
#include "textures/models/texture_model.hpp"
#include <fmt/format.h>
#include <cmath>
#include "kernels/correlate/factoring.hpp"
#include "kernels/visual_words/word_histogram.hpp"

namespace synthoscope::textures {

void require_usable(const TextureSpec& spec) {
  kernels::require_tolerance(spec.features.filters.tolerance);
  if (spec.levels < 0 || spec.levels > kernels::kMaxPyramidLevels)
    throw InvalidSpec(
        fmt::format("measure textures: {} levels of a pyramid were requested; give 0 to {}",
                    spec.levels, kernels::kMaxPyramidLevels));
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

namespace {

constexpr double kAlike = 0.05;

bool differ(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && std::abs(*a - *b) > kAlike * *b;
}

}  // namespace

Pitch pitch_of(const imageio::ImageInfo& info) {
  return {info.z_um, info.y_um, info.x_um};
}

std::span<const float> TextureModel::histogram(std::int64_t texture) const {
  const auto length = static_cast<std::size_t>(histogram_length);
  return std::span{histograms}.subspan(static_cast<std::size_t>(texture) * length, length);
}

std::int64_t TextureModel::class_of(std::int64_t texture) const {
  const std::int64_t image = textures[static_cast<std::size_t>(texture)].image;
  return image_class[static_cast<std::size_t>(image)];
}

std::string pitch_difference(const TextureModel& model, const imageio::ImageInfo& image) {
  const Pitch pitch = pitch_of(image);
  const bool of_x = differ(pitch.x_um, model.pitch.x_um);
  if (!of_x && !differ(pitch.y_um, model.pitch.y_um)) return "";
  return fmt::format(
      "{}: its voxels are {:g} um apart and voxels of the model {:g} um; textures are compared "
      "voxel "
      "by voxel, so resample it first",
      image.path.string(), of_x ? *pitch.x_um : *pitch.y_um,
      of_x ? *model.pitch.x_um : *model.pitch.y_um);
}

}  // namespace synthoscope::textures
