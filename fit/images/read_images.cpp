// SPDX-License-Identifier: MIT
#include "fit/images/read_images.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include "core/base/error.hpp"
#include "imageio/run/counted_image.hpp"

namespace synthoscope::fit {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kShareOfMemory = 8;  ///< an image takes at most this part of the budget
constexpr std::int64_t kBytesPerVoxel = sizeof(float) + sizeof(std::uint32_t);
constexpr std::int64_t kFewestPlanes = 16;  ///< of a stack that is cut
constexpr float kMostLabel = 16777215;      ///< largest whole number up to which float32 has all
constexpr double kSamePixels = 0.01;        ///< relative difference of pixel sizes taken as equal

/// The voxel size that a file says. A single plane needs none along z.
VoxelSize pitch_of(const imageio::ImageInfo& info, const std::string& name, double plane_um) {
  const bool is_plane = info.extent.z == 1;
  const auto z_um = is_plane ? std::optional{plane_um} : info.z_um;
  if (!z_um || !info.y_um || !info.x_um)
    throw InvalidSpec(fmt::format(
        "fit: {} does not say how large its {} are, and all sizes depend on it; give --voxel-um "
        "Z,Y,X",
        name, is_plane ? "pixels" : "voxels"));
  return {*z_um, *info.y_um, *info.x_um};
}

using Opener = std::function<imageio::CountedImage(const RunContext&)>;

Opener opener(const fs::path& path, const imageio::OpenOptions& options) {
  return [path, options](const RunContext& context) {
    imageio::CountedImage image = imageio::open_counted(path, options, context);
    imageio::report_reading(path, image.info, context.log);
    return image;
  };
}

Box3 middle_of(const Extent3& whole, const Extent3& size) {
  return {{(whole.z - size.z) / 2, (whole.y - size.y) / 2, (whole.x - size.x) / 2}, size};
}

/// The middle of an extent that fits into `bytes`: planes are left out first, then rows.
Box3 part_within(const Extent3& extent, std::int64_t bytes) {
  const std::int64_t voxels = std::max<std::int64_t>(bytes / kBytesPerVoxel, 1);
  Extent3 size = extent;
  const auto shrink = [&](std::int64_t& axis, std::int64_t fewest) {
    const std::int64_t rest = volume(size) / axis;
    axis = std::clamp(voxels / rest, std::min(fewest, axis), axis);
  };
  shrink(size.z, kFewestPlanes);
  shrink(size.y, 1);
  shrink(size.x, 1);
  return middle_of(extent, size);
}

void require_finite(const Volume<float>& voxels, const std::string& name) {
  const auto bad = std::count_if(voxels.voxels.begin(), voxels.voxels.end(),
                                 [](float value) { return !std::isfinite(value); });
  if (bad > 0)
    throw InvalidInput(
        fmt::format("fit: {} of {} voxels of {} are NaN or infinite; replace them first", bad,
                    voxels.voxels.size(), name));
}

/// Reads a part plane by plane, so that the copy in the type of the file stays small.
Volume<float> read_part(Source& source, const Box3& part, const std::string& name) {
  Volume<float> result{part.size};
  visit_pixel_type(source.pixel_type(), [&]<class T>(T) {
    Volume<T> native{{1, part.size.y, part.size.x}};
    for (std::int64_t z = 0; z < part.size.z; ++z) {
      source.read({{part.origin.z + z, part.origin.y, part.origin.x}, native.extent},
                  native.view());
      std::transform(native.voxels.begin(), native.voxels.end(), result.view().row(z, 0),
                     [](T value) { return static_cast<float>(value); });
    }
  });
  require_finite(result, name);
  return result;
}

/// The grey values of an image, or the middle of it.
LabelledImage read_counts(const imageio::CountedImage& image, const std::string& name,
                          double plane_um, const RunContext& context) {
  const Extent3 extent = image.source->extent();
  const Box3 part = part_within(extent, context.memory.limit() / kShareOfMemory);
  if (part.size != extent)
    context.log.note(fmt::format("fit: {} is large; its middle, {} of {}, is measured", name,
                                 part.size, extent));
  LabelledImage result;
  result.name = name;
  result.grid = {part.size, pitch_of(image.info, name, plane_um)};
  result.type = image.info.type;
  result.held = context.memory.reserve(volume(part.size) * kBytesPerVoxel, "an image to fit");
  result.counts = read_part(*image.source, part, name);
  const auto [least, most] =
      std::minmax_element(result.counts.voxels.begin(), result.counts.voxels.end());
  if (*least == *most)
    throw InvalidInput(fmt::format("fit: all pixels of {} are {}; give an image that shows objects",
                                   name, *least));
  return result;
}

std::uint32_t label_of(float value, const std::string& name) {
  if (value < 0 || value > kMostLabel || value != std::floor(value))
    throw InvalidInput(
        fmt::format("fit: the labels of {} contain {}; labels are whole numbers from 0 to {}", name,
                    value, kMostLabel));
  return static_cast<std::uint32_t>(value);
}

/// Adds the labels of an image. Labels of the whole image are cut as its grey values were.
void add_labels(LabelledImage& image, const Extent3& whole_extent,
                const imageio::CountedImage& labels) {
  const Extent3 extent = labels.source->extent();
  if (extent != whole_extent)
    throw InvalidInput(
        fmt::format("fit: the labels of {} have {} voxels and the image has {}; give labels on its "
                    "grid",
                    image.name, extent, whole_extent));
  const Volume<float> values = read_part(*labels.source, middle_of(whole_extent, image.grid.extent),
                                         "the labels of " + image.name);
  image.labels = Volume<std::uint32_t>{values.extent};
  std::transform(values.voxels.begin(), values.voxels.end(), image.labels.voxels.begin(),
                 [&](float value) { return label_of(value, image.name); });
  if (std::all_of(image.labels.voxels.begin(), image.labels.voxels.end(),
                  [](std::uint32_t label) { return label == 0; }))
    throw InvalidInput(
        fmt::format("fit: the labels of {} are all 0, so they show no object; give labels of "
                    "objects, or leave them out",
                    image.name));
}

void require_same_pixels(const LabelledImage& first, const LabelledImage& other) {
  const auto same = [](double a, double b) { return std::abs(a - b) <= kSamePixels * a; };
  const VoxelSize &a = first.grid.pitch, &b = other.grid.pitch;
  if (first.is_plane() != other.is_plane())
    throw InvalidSpec(fmt::format("fit: {} is {} and {} is not; give images of one kind",
                                  first.name, first.is_plane() ? "a single plane" : "a stack",
                                  other.name));
  if (!same(a.z_um, b.z_um) || !same(a.y_um, b.y_um) || !same(a.x_um, b.x_um))
    throw InvalidSpec(fmt::format(
        "fit: {} has voxels of {} x {} x {} um and {} of {} x {} x {} um; give images of one kind",
        first.name, a.z_um, a.y_um, a.x_um, other.name, b.z_um, b.y_um, b.x_um));
}

}  // namespace

std::vector<textures::ImageToMeasure> images_in(const ImageFiles& files) {
  if (!files.labels.empty() && files.labels.size() != files.images.size())
    throw InvalidSpec(
        fmt::format("fit: the number of images is {} and that of files of labels is {}; give one "
                    "file of labels for each image, in the same order",
                    files.images.size(), files.labels.size()));
  std::vector<textures::ImageToMeasure> all;
  for (const auto& path : files.images) {
    if (path.extension() == ".toml")
      throw InvalidSpec(
          fmt::format("fit: {} is a scene, and fit makes scenes from images; give an image, and a "
                      "scene to start from with --scene",
                      path.string()));
    textures::ImageToMeasure image{path.string(), opener(path, files.open)};
    if (!files.labels.empty()) {
      imageio::OpenOptions options;
      options.labels = true;
      image.open_labels = opener(files.labels[all.size()], options);
    }
    all.push_back(std::move(image));
  }
  return all;
}

LabelledImages read_images(const std::vector<textures::ImageToMeasure>& images, double plane_um,
                           const RunContext& context) {
  LabelledImages all;
  for (const auto& given : images) {
    const imageio::CountedImage opened = given.open(context);
    LabelledImage image = read_counts(opened, given.name, plane_um, context);
    if (given.open_labels) add_labels(image, opened.source->extent(), given.open_labels(context));
    if (!all.empty()) require_same_pixels(all.front(), image);
    all.push_back(std::move(image));
  }
  return all;
}

}  // namespace synthoscope::fit
