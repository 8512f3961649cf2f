// SPDX-License-Identifier: MIT
// fit/images/read_images.hpp — real images and their labels, from files.
#pragma once
#include <filesystem>
#include <vector>
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"
#include "imageio/image/info.hpp"
#include "textures/two_sample/measure_images.hpp"

namespace synthoscope::fit {

/// Files of images of one kind; labels are given for all of them, in the same order, or for none.
struct ImageFiles {
  std::vector<std::filesystem::path> images, labels;
  imageio::OpenOptions open;
};

/// Returns images of files, which are opened when they are read.
/// @throws InvalidSpec  the number of labels is not that of images; a file is a scene.
std::vector<textures::ImageToMeasure> images_in(const ImageFiles& files);

/// Reads images and their labels. Of an image that would take more than an eighth of the memory
/// budget only the middle is read: whole planes if possible, and a note says so. Its grid is then
/// that of the part.
/// @param images    all with labels, or none
/// @param plane_um  thickness of the voxels of a single plane
/// @throws InvalidSpec   the size of pixels is not known, or differs from image to image.
/// @throws InvalidInput  all pixels of an image are equal, or one is not finite; labels have
/// another
///                       extent than their image, are no whole numbers, or label nothing.
/// @throws IoError, PlanError  as imageio::open_counted.
LabelledImages read_images(const std::vector<textures::ImageToMeasure>& images, double plane_um,
                           const RunContext& context);

}  // namespace synthoscope::fit
