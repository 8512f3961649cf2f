// SPDX-License-Identifier: MIT
// textures/images/unopened_image.hpp — an image that is opened when its turn comes: a file, or
// voxels that lie in memory.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>
#include "textures/images/grey_image.hpp"

namespace synthoscope::textures {

/// What is known of an image before any of its voxels is read, and how it is opened. Memory is
/// counted for the extent that it says.
struct UnopenedImage {
  std::string name;         ///< as whoever gave it calls it
  imageio::ImageInfo info;  ///< its extent covers the planes that are used
  std::function<imageio::CountedImage(const RunContext&)> open;
};

/// Files, each as open_grey opens it. Looks at all of them, at none of their voxels.
/// @throws as imageio::inspect
std::vector<UnopenedImage> unopened(const std::vector<std::filesystem::path>& paths, Planes planes,
                                    const imageio::OpenOptions& options);

/// `image`, opened. @throws InvalidInput  it is not what it was; and as what opens it.
imageio::CountedImage opened(const UnopenedImage& image, const RunContext& context);

}  // namespace synthoscope::textures
