// SPDX-License-Identifier: MIT
#include "fit/images/part_of_image.hpp"
#include <algorithm>
#include <string>
#include "textures/patches/plane_reader.hpp"

namespace synthoscope::fit {
namespace {

template <class T>
Volume<T> cut(const Volume<T>& voxels, const Box3& part) {
  Volume<T> result;
  if (voxels.voxels.empty()) return result;
  result = Volume<T>{part.size};
  for (std::int64_t z = 0; z < part.size.z; ++z)
    for (std::int64_t y = 0; y < part.size.y; ++y)
      std::copy_n(voxels.view().row(part.origin.z + z, part.origin.y + y) + part.origin.x,
                  part.size.x, result.view().row(z, y));
  return result;
}

std::int64_t bytes_per_voxel(const LabelledImage& image) {
  return (image.has_counts() ? std::int64_t{sizeof(float)} : 0) +
         (image.has_labels() ? std::int64_t{sizeof(std::uint32_t)} : 0);
}

}  // namespace

LabelledImage part_of(const LabelledImage& image, const Box3& part, const RunContext& context) {
  LabelledImage result;
  result.name = image.name;
  result.grid = {part.size, image.grid.pitch};
  result.type = image.type;
  result.held =
      context.memory.reserve(volume(part.size) * bytes_per_voxel(image), "a part of an image");
  result.counts = cut(image.counts, part);
  result.labels = cut(image.labels, part);
  return result;
}

LabelledImages copies_of(const LabelledImages& images, const RunContext& context) {
  LabelledImages copies;
  for (const LabelledImage& image : images) {
    copies.push_back(part_of(image, {{}, image.grid.extent}, context));
    copies.back().are_labels_rough = image.are_labels_rough;
  }
  return copies;
}

LabelledImage sharpest_plane_of(const LabelledImage& image, const RunContext& context) {
  MemorySource source{ConstVoxelView{image.counts.view()}};
  const std::int64_t z = textures::sharpest_plane(source, image.name, context);
  return part_of(image, plane(image.grid.extent, z), context);
}

HeldOut hold_out(LabelledImages images, const RunContext& context) {
  HeldOut result;
  if (images.size() > 1) {
    result.tested.push_back(std::move(images.back()));
    images.pop_back();
    result.fitted = std::move(images);
    return result;
  }
  const LabelledImage& only = images.front();
  Box3 first{{}, only.grid.extent}, second = first;
  const bool along_x = only.grid.extent.x >= only.grid.extent.y;
  const auto halve = [](std::int64_t& size, std::int64_t& other_origin, std::int64_t& other_size) {
    const std::int64_t whole = size;
    size = whole / 2;
    other_origin = size;
    other_size = whole - size;
  };
  if (along_x)
    halve(first.size.x, second.origin.x, second.size.x);
  else
    halve(first.size.y, second.origin.y, second.size.y);
  result.fitted.push_back(part_of(only, first, context));
  result.tested.push_back(part_of(only, second, context));
  result.is_half = true;
  return result;
}

}  // namespace synthoscope::fit
