// SPDX-License-Identifier: MIT
// textures/two_sample/measure_images.hpp — from images to the statistics of their patches.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "imageio/run/counted_image.hpp"
#include "textures/patches/plane_patches.hpp"
#include "textures/two_sample/measured_image.hpp"

namespace synthoscope::textures {

/// An image that is opened when its turn comes, and its labels, if there are any.
struct ImageToMeasure {
  std::string name;
  std::function<imageio::CountedImage(const RunContext&)> open;
  std::function<imageio::CountedImage(const RunContext&)> open_labels = {};
};

struct MeasureSpec {
  PatchSpec patch;
  std::optional<std::int64_t> plane;  ///< of stacks; none: the sharpest
};

/// Images that were measured. Those with too few patches are left out.
struct MeasuredSet {
  std::vector<MeasuredImage> images;
  std::optional<double> pixel_um;    ///< y and x, if files say it
  std::vector<std::string> without;  ///< images with fewer than kLeastPatches patches
  Reservation held;
};

/// Fewest patches of an image that says something about it.
inline constexpr std::int64_t kLeastPatches = 4;
/// Largest difference of pixel sizes that are taken as equal, relative.
inline constexpr double kPixelTolerance = 0.01;

/// Measures the patches of images, one image after another.
/// @param use_labels  objects are what is labelled; otherwise what is bright
/// @throws InvalidSpec   the side of patches is out of range; a plane does not exist; an image is
///                       smaller than a patch; pixel sizes differ; no image has enough patches.
/// @throws InvalidInput  as read_plane, read_mask and normalised.  @throws what opening throws.
MeasuredSet measure_images(const std::vector<ImageToMeasure>& images, const MeasureSpec& spec,
                           bool use_labels, const RunContext& context);

}  // namespace synthoscope::textures
