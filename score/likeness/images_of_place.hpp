// SPDX-License-Identifier: MIT
// score/likeness/images_of_place.hpp — the images of files, folders, data sets and sweeps.
#pragma once
#include <filesystem>
#include <vector>
#include "imageio/run/counted_image.hpp"
#include "textures/two_sample/measure_images.hpp"

namespace synthoscope::score {

/// Returns the images of several places, one for each frame. A place is a file; a folder of files;
/// a data set of `simulate`, whose images come with their labels; a sweep; or a folder of data
/// sets.
/// @param options  choose channel and frame, of data sets as well
/// @throws InvalidSpec   a place holds no images; or channel or frame must be chosen, or do not
///                       exist.
/// @throws IoError, InvalidInput  as DataSetReader and imageio::inspect_counted
std::vector<textures::ImageToMeasure> images_of_places(
    const std::vector<std::filesystem::path>& places, const imageio::OpenOptions& options,
    const RunContext& context);

/// Gives images their labels: of files or folders, as many as there are images, in the same order.
/// @throws InvalidSpec  their numbers differ.  @throws as truth_frames
void add_labels(const std::vector<std::filesystem::path>& places,
                const imageio::OpenOptions& options, const RunContext& context,
                std::vector<textures::ImageToMeasure>& images);

}  // namespace synthoscope::score
