// SPDX-License-Identifier: MIT
// textures/answers/verdict.hpp — what images are taken for by a model, and how often that is right.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "textures/answers/classify.hpp"
#include "textures/images/image_runner.hpp"
#include "textures/images/image_set.hpp"
#include "textures/images/unopened_image.hpp"

namespace synthoscope::textures {

/// An image and what its textures, one or several patches, are taken for.
struct Verdict {
  std::string image;                 ///< its name, as it was given
  std::optional<std::string> known;  ///< its class, where somebody knows it
  std::vector<Classified> textures;
  Vote vote;

  /// The texture that is nearest to the winning class: it represents the image.
  [[nodiscard]] const Classified& best() const;
  /// How many textures are taken for each of so many classes.
  [[nodiscard]] std::vector<std::int64_t> votes_by_class(std::size_t classes) const;
};

/// Verdicts, and what they hold.
struct Verdicts {
  std::vector<Verdict> images;
  Reservation held;
};

/// Measures images by the words of a model and classifies each of them. Warns of images with
/// another voxel size.
/// @throws InvalidSpec  as require_comparable and classify; what measuring throws.
Verdicts judge(const TextureModel& model, const std::vector<UnopenedImage>& images,
               ImageRunner& runner, const RunContext& context);

/// The same of files.
Verdicts judge(const TextureModel& model, const std::vector<std::filesystem::path>& images,
               const imageio::OpenOptions& open, ImageRunner& runner, const RunContext& context);

/// The same of images whose classes are known.
Verdicts judge(const TextureModel& model, const ImageSet& set, const imageio::OpenOptions& open,
               ImageRunner& runner, const RunContext& context);

/// A share, and Wilson's interval of 95 % around it.
struct Share {
  std::int64_t right = 0, all = 0;
  double low = 0, high = 1;
};
Share share_of(std::int64_t right, std::int64_t all);

/// Returns how many images of known classes are classified correctly.
Share accuracy_of(const TextureModel& model, const std::vector<Verdict>& verdicts);

}  // namespace synthoscope::textures
