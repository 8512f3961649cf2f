// SPDX-License-Identifier: MIT
// textures/models/measure.hpp — histograms of the words of images and of their patches.
#pragma once
#include <span>
#include <vector>
#include "core/stream/part_source.hpp"
#include "kernels/visual_words/dictionary.hpp"
#include "textures/images/grey_image.hpp"
#include "textures/images/image_runner.hpp"
#include "textures/images/unopened_image.hpp"
#include "textures/models/texture_model.hpp"

namespace synthoscope::textures {

/// The same, with all done that images have in common.
TextureSpec ready(TextureSpec spec);

/// An image, or a patch of one, whose texture can be measured: its gain is known.
class Measurable {
 public:
  /// @param image  as open_grey gives it
  /// @throws as deviation_of. All but the box outlive this.
  Measurable(const imageio::CountedImage& image, const Box3& part, const TextureSpec& spec,
             const RunContext& context);

  [[nodiscard]] Extent3 extent() const { return source_.extent(); }

  /// Hands the volume of its features to `sink`.
  void make_features(Sink& sink, ImageRunner& runner);

  /// Hands its word map to `sink`. @throws InvalidSpec  words have another number of features.
  void make_words(const kernels::Dictionary& dictionary, Sink& sink, ImageRunner& runner);

 private:
  void run(const kernels::ChosenBank& bank, Sink& sink, ImageRunner& runner);

  const RunContext& context_;
  PartSource source_;
  kernels::FeatureSpec features_;
  double gain_;
};

/// Scales along z are lengths: an image with flat voxels, as far as it says so, has fewer of them
/// there.
kernels::FeatureSpec features_for(const kernels::FeatureSpec& wanted,
                                  const imageio::ImageInfo& image);

/// Histograms of textures, one behind the other.
struct Measured {
  std::vector<imageio::ImageInfo> images;
  std::vector<Texture> textures;
  std::int64_t histogram_length = 0;
  std::vector<float> histograms;
  Reservation held;

  [[nodiscard]] std::span<const float> histogram(std::int64_t texture) const {
    const auto length = static_cast<std::size_t>(histogram_length);
    return std::span{histograms}.subspan(static_cast<std::size_t>(texture) * length, length);
  }
};

/// @throws InvalidSpec  histograms of `measured` and of the model differ in length: one of them is
///                      of planes, the other of volumes.
void require_comparable(const TextureModel& model, const Measured& measured);

/// Warns of images whose voxel size differs from the model's.
void warn_of_pitch_differences(const TextureModel& model, const Measured& measured, Log& log);

/// Measures images one after the other with the same words.
/// @throws as opened, Measurable and the runner; PlanError  the memory has no room for the
/// histograms.
Measured measure(const std::vector<UnopenedImage>& images, const TextureSpec& spec,
                 const kernels::Dictionary& dictionary, ImageRunner& runner,
                 const RunContext& context);

/// The same for files. @throws also as unopened
Measured measure(const std::vector<std::filesystem::path>& images, const TextureSpec& spec,
                 const kernels::Dictionary& dictionary, const imageio::OpenOptions& open,
                 ImageRunner& runner, const RunContext& context);

}  // namespace synthoscope::textures
