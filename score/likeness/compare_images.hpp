// SPDX-License-Identifier: MIT
// score/likeness/compare_images.hpp — how alike real and synthetic images are, from files to
// numbers.
#pragma once
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/run/counted_image.hpp"
#include "textures/two_sample/likeness.hpp"
#include "textures/two_sample/measure_images.hpp"

namespace synthoscope::score {

/// How patches are measured and compared.
struct CompareSettings {
  textures::MeasureSpec measure;
  textures::LikenessSpec likeness;
};

/// Files, folders, data sets or sweeps, and their labels.
struct ComparedPlaces {
  std::vector<std::filesystem::path> images, labels;
};

struct CompareRequest {
  ComparedPlaces real, synthetic;
  CompareSettings settings;
  imageio::OpenOptions open;
};

struct ComparedImages {
  textures::MeasuredSet real, synthetic;
  textures::Likeness likeness;
  textures::PatchSpec patch;
  std::uint64_t seed = 0;
  bool by_labels = false;  ///< both sets have labels; otherwise objects are what is bright

  /// The size of pixels, if files of either set say it.
  [[nodiscard]] std::optional<double> pixel_um() const {
    return real.pixel_um ? real.pixel_um : synthetic.pixel_um;
  }
};

/// Measures both sets and compares them. Warns of images that are left out, and if pixel sizes are
/// not known. Labels are used if all images of both sets have them.
/// @param needs_labels  somebody gave labels: it is an error if other images have none
/// @throws as measure_images and compare_likeness
/// @throws InvalidSpec  labels are needed and missing, or pixel sizes of the sets differ.
ComparedImages compare_images(const std::vector<textures::ImageToMeasure>& real,
                              const std::vector<textures::ImageToMeasure>& synthetic,
                              bool needs_labels, const CompareSettings& settings,
                              const RunContext& context);

/// The same of files. @throws also as images_of_places and add_labels
ComparedImages compare_images(const CompareRequest& request, const RunContext& context);

/// Returns what the comparison says, in two or three sentences: told apart, not told apart, or
/// undecided, and why.
std::string verdict_of(const ComparedImages& compared);

}  // namespace synthoscope::score
