// SPDX-License-Identifier: MIT
// textures/models/texture_model.hpp — how a texture is measured, words, and the textures that are
// known by them. Plain data.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "core/volume/box.hpp"
#include "imageio/open.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "kernels/visual_words/histogram_distance.hpp"
#include "kernels/visual_words/texture_features.hpp"
#include "textures/images/grey_image.hpp"

namespace synthoscope::textures {

struct TextureSpec {
  kernels::FeatureSpec features;
  int levels = 0;  ///< of the spatial pyramid; 0: one histogram of all
  kernels::HistogramDistance distance = kernels::HistogramDistance::chi_square;
  Planes planes = Planes::all;
  /// Every image is cut into such patches, each of them a texture; z is 0 for all planes.
  std::optional<Extent3> patch;
};

/// @throws InvalidSpec  the tolerance, levels or patches are out of range.
void require_usable(const TextureSpec& spec);

/// The whole patches that an image has, row by row from its first voxel on; without a size, all of
/// it. What is left over at the far faces is in none.
class Patches {
 public:
  /// @throws InvalidSpec  the image is smaller than a patch.
  Patches(const Extent3& image, const std::optional<Extent3>& patch);
  [[nodiscard]] const Extent3& size() const { return size_; }  ///< of each
  [[nodiscard]] std::int64_t count() const { return volume(counts_); }
  [[nodiscard]] Box3 operator[](std::int64_t which) const;

 private:
  Extent3 size_, counts_;
};

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
