// SPDX-License-Identifier: MIT
// fit/images/read_images.hpp — real images and their labels, from files.
#pragma once
#include <filesystem>
#include <vector>
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"
#include "imageio/image/info.hpp"

namespace synthoscope::fit {

/// Files of images of one kind; labels are given for all of them, in the same order, or for none.
struct ImageFiles {
  std::vector<std::filesystem::path> images, labels;
  imageio::OpenOptions open;
  double plane_um = 1;  ///< thickness of a voxel of an image of one plane whose file says none
};

/// Reads images and labels. Of an image that would take more than an eighth of the memory budget
/// only the middle is read: whole planes if possible, and a note says so. Its grid is then that of
/// the part.
/// @throws InvalidSpec   the number of labels is not that of images; a file does not say the size
///                       of its pixels; pixel sizes differ; a file is a scene.
/// @throws InvalidInput  all pixels of an image are equal, or none is finite; labels have another
///                       extent than their image, are no whole numbers, or label nothing.
/// @throws IoError, PlanError  as imageio::open_counted.
LabelledImages read_images(const ImageFiles& files, const RunContext& context);

}  // namespace synthoscope::fit
