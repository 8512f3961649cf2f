// SPDX-License-Identifier: MIT
// score/run/score_images.hpp — scores a restored image, from files to numbers.
#pragma once
#include <filesystem>
#include <optional>
#include "core/run/run_context.hpp"
#include "imageio/run/counted_image.hpp"
#include "score/images/image_scores.hpp"

namespace synthoscope::score {

/// What a restored image is compared with, and the objects whose light is summed.
struct ImageTask {
  imageio::CountedImage truth, result;
  std::optional<imageio::CountedImage> labels;  ///< of the extent of the images
  FourierWindow window = FourierWindow::tukey;
  bool shells = true;  ///< transforms the whole volume
};

/// Reads the images several times.
/// @throws InvalidSpec  neither image says how far voxels are apart.  @throws as image_scores
ImageScores score_images(const ImageTask& task, const RunContext& context);

}  // namespace synthoscope::score
