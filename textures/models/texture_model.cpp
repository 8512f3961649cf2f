// SPDX-License-Identifier: MIT
#include "textures/models/texture_model.hpp"
#include <fmt/format.h>
#include <cmath>

namespace synthoscope::textures {
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
