// SPDX-License-Identifier: MIT
// score/run/score_images.hpp — scores a restored image, from files to numbers.
#pragma once
#include <filesystem>
#include <optional>
#include "core/base/names.hpp"
#include "core/run/run_context.hpp"
#include "imageio/run/counted_image.hpp"
#include "score/images/image_scores.hpp"

namespace synthoscope::score {

/// Light of a data set that an image is compared with: after the lens, or before it.
enum class ImageTruth { photons, light };
inline constexpr NameTable<ImageTruth, 2> kImageTruthNames{{
    {ImageTruth::photons, "photons"},
    {ImageTruth::light, "light"},
}};

/// Two images, and the objects whose light is summed.
struct ImageTask {
  imageio::CountedImage truth, result;
  std::optional<imageio::CountedImage> labels;  ///< of the extent of the images
  FourierWindow window = FourierWindow::tukey;
  bool shells = true;  ///< transforms the whole volume
};

/// Opens the noise-free light of a data set, with its labels if they have the same grid; or any
/// image.
/// @param open  frame and channel choose among those of the data set, or of a file
/// @throws InvalidSpec  a frame must be chosen, or there is no such frame or channel.
/// @throws as DataSetReader and imageio::open_counted
ImageTask task_with_light(const std::filesystem::path& truth, ImageTruth beside,
                          const imageio::OpenOptions& open, const RunContext& context);

/// Reads the images several times.
/// @throws InvalidSpec  neither image says how far voxels are apart.  @throws as image_scores
ImageScores score_images(const ImageTask& task, const RunContext& context);

}  // namespace synthoscope::score
