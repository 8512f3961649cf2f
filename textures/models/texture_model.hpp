// SPDX-License-Identifier: MIT
// textures/models/texture_model.hpp — words, and the textures that are known by them. Plain data.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "imageio/open.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "textures/models/texture_spec.hpp"

namespace synthoscope::textures {

/// An image, or a patch of one.
struct Texture {
  std::int64_t image = 0;  ///< in the list of images
  Box3 box;                ///< of the planes that are looked at
};

/// Voxel size, per axis as far as known.
struct Pitch {
  std::optional<double> z_um, y_um, x_um;
};
Pitch pitch_of(const imageio::ImageInfo& info);

/// How a dictionary was learned.
struct TrainingRecord {
  std::uint64_t seed = 0;
  std::int64_t samples_each = 0, samples = 0;
  double inertia = 0;
  std::int64_t iterations = 0;
  bool converged = false;
};

/// Everything that is needed to assign words and to classify.
struct TextureModel {
  TextureSpec spec;
  kernels::Dictionary dictionary;
  std::vector<std::int64_t> word_sizes;  ///< samples of each word
  TrainingRecord training;
  Pitch pitch;  ///< of the images it was learned from, where they agree
  std::vector<std::string> classes;
  std::vector<std::string> images;  ///< names, for people
  std::vector<std::int64_t> image_class;
  std::vector<Texture> textures;
  std::int64_t histogram_length = 0;
  std::vector<float> histograms;  ///< of textures, one behind the other

  [[nodiscard]] std::span<const float> histogram(std::int64_t texture) const;
  [[nodiscard]] std::int64_t class_of(std::int64_t texture) const;
};

/// Returns a warning if the voxel size of `image` differs from the model's by more than 5 %,
/// because textures are compared at equal voxel size. Empty if they agree or one is unknown.
std::string pitch_difference(const TextureModel& model, const imageio::ImageInfo& image);

}  // namespace synthoscope::textures
