// SPDX-License-Identifier: MIT
// textures/image_set.hpp — images in folders, and folders that are classes of images.
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

/// Images by classes: those of a class stand together, by their names.
struct ImageSet {
  std::vector<std::string> classes;
  std::vector<ClassifiedImage> images;
};

/// The images of `place`: itself, if it is a file or names a data set; else the files of the folder
/// that are called as TIFF, HDF5, PNG or ICS files are, by name; those of its folder "images" where
/// it has one, as data sets of `simulate --truth-layout stardist` do. Names that begin with a dot
/// are passed over.
/// @throws IoError      it is not there or cannot be listed.
/// @throws InvalidSpec  it holds no images.
std::vector<std::filesystem::path> images_in(const std::filesystem::path& place);

/// Those of many places, one behind the other.
std::vector<std::filesystem::path> images_in(const std::vector<std::filesystem::path>& places);

/// Every folder in `folder` is a class of its name, its images those of images_in.
/// @throws as images_in; InvalidSpec  there are fewer than two such folders.
ImageSet classes_in(const std::filesystem::path& folder);

}  // namespace synthoscope::textures
