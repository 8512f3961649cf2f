// SPDX-License-Identifier: MIT
// textures/images/image_set.hpp — images in folders, and folders that are classes of images.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace synthoscope::textures {

/// An image of a known class.
struct ClassifiedImage {
  std::filesystem::path path;
  std::int64_t of_class = 0;
};

/// Images by class: images of a class are contiguous and sorted by name.
struct ImageSet {
  std::vector<std::string> classes;
  std::vector<ClassifiedImage> images;
};

/// Returns the images of `place`: `place` itself if it is a file or names a data set; otherwise the
/// files of the folder with extensions of TIFF, HDF5, PNG or ICS, sorted by name. If the folder has
/// a folder "images", as data sets of `simulate --truth-layout stardist` do, its files are
/// returned. Names that begin with a dot are ignored.
/// @throws IoError      it does not exist or cannot be listed.
/// @throws InvalidSpec  it holds no images.
std::vector<std::filesystem::path> images_in(const std::filesystem::path& place);

/// Returns the images of several places, in order.
std::vector<std::filesystem::path> images_in(const std::vector<std::filesystem::path>& places);

/// Returns the classes of `folder`: every folder in it is a class of that name with its images_in.
/// @throws as images_in; InvalidSpec  there are fewer than two such folders.
ImageSet classes_in(const std::filesystem::path& folder);

}  // namespace synthoscope::textures
