// SPDX-License-Identifier: MIT
#include "textures/images/image_set.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/formats.hpp"

namespace synthoscope::textures {
namespace {

namespace fs = std::filesystem;

bool has_image_name(const fs::path& file) {
  const imageio::ImageFormat* const format = imageio::format_with_extension_of(file);
  return format && format->reader && !format->is_folder;
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

/// Links that lead nowhere, and what may not be looked at, are none.
bool is_folder(const fs::path& path) {
  std::error_code failure;
  return fs::is_directory(path, failure);
}
bool is_file(const fs::path& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

/// What a folder holds and `is_wanted`, by name.
template <class Wanted>
std::vector<fs::path> listed(const fs::path& folder, Wanted is_wanted) {
  std::vector<fs::path> found;
  std::error_code failure;
  fs::directory_iterator entry{folder, failure};
  for (; !failure && entry != fs::directory_iterator{}; entry.increment(failure))
    if (!is_hidden(entry->path()) && is_wanted(*entry)) found.push_back(entry->path());
  if (failure)
    throw IoError(fmt::format("list the images of {}: {}; {}", folder.string(), failure.message(),
                              remedy_of(failure.value(), "give a folder that can be read")));
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> image_files(const fs::path& folder) {
  return listed(folder, [](const fs::directory_entry& entry) {
    return is_file(entry.path()) && has_image_name(entry.path());
  });
}

}  // namespace

std::vector<fs::path> images_in(const fs::path& place) {
  if (!is_folder(place)) {
    if (std::error_code failure; !fs::exists(imageio::file_of(place), failure))
      throw IoError(
          fmt::format("look for images in {}: there is no such file or folder; check "
                      "the name",
                      place.string()));
    return {place};
  }
  const fs::path inner = place / "images";
  std::vector<fs::path> images = image_files(is_folder(inner) ? inner : place);
  if (images.empty())
    throw InvalidSpec(
        fmt::format("look for images in {}: the folder holds none; put TIFF, HDF5, PNG or ICS "
                    "files there",
                    place.string()));
  return images;
}

std::vector<fs::path> images_in(const std::vector<fs::path>& places) {
  std::vector<fs::path> all;
  for (const fs::path& place : places)
    for (fs::path& image : images_in(place)) all.push_back(std::move(image));
  return all;
}

ImageSet classes_in(const fs::path& folder) {
  if (!is_folder(folder))
    throw IoError(
        fmt::format("look for classes in {}: it is not a folder; give one with a folder of images "
                    "for each class",
                    folder.string()));
  ImageSet set;
  for (const fs::path& inner :
       listed(folder, [](const fs::directory_entry& entry) { return is_folder(entry.path()); })) {
    for (fs::path& image : images_in(inner))
      set.images.push_back({std::move(image), static_cast<std::int64_t>(set.classes.size())});
    set.classes.push_back(inner.filename().string());
  }
  if (set.classes.size() < 2)
    throw InvalidSpec(
        fmt::format("look for classes in {}: it holds {} folders of images; put a folder for each "
                    "of two or more classes there",
                    folder.string(), set.classes.size()));
  return set;
}

}  // namespace synthoscope::textures
