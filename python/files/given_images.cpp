// SPDX-License-Identifier: MIT
#include "python/files/given_images.hpp"
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <cmath>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/part_source.hpp"
#include "python/session/arrays.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;
using textures::Planes;
using textures::UnopenedImage;

void set_spacing(const AboutImages& about, imageio::ImageInfo& info) {
  if (!about.spacing_um) return;
  std::tie(info.z_um, info.y_um, info.x_um) = *about.spacing_um;
  for (const auto& um : {info.z_um, info.y_um, info.x_um})
    if (!std::isfinite(*um) || *um <= 0)
      throw InvalidSpec(
          fmt::format("spacing_um has the value {:g}; give three positive ones (z, y, x)", *um));
}

/// Voxels that lie in memory, and what is to be said of them.
UnopenedImage array_image(ConstVoxelView voxels, std::string name, Planes planes,
                          const AboutImages& about) {
  UnopenedImage image;
  image.name = std::move(name);
  image.info.path = image.name;
  image.info.extent = voxels.extent();
  image.info.type = voxels.type();
  if (volume(image.info.extent) == 0)
    throw InvalidSpec(fmt::format("look at {}: it has no voxels; give some", image.name));
  const bool is_middle = planes == Planes::middle;
  if (is_middle) image.info.extent.z = 1;
  set_spacing(about, image.info);
  image.open = [voxels, is_middle, info = image.info](const RunContext&) {
    imageio::CountedImage opened;
    opened.info = info;
    opened.source = std::make_unique<MemorySource>(voxels);
    if (is_middle)
      opened.source = std::make_unique<PartSource>(std::move(opened.source),
                                                   plane(voxels.extent(), voxels.extent().z / 2));
    return opened;
  };
  return image;
}

}  // namespace

std::vector<GivenImage> given_images(const nb::list& images) {
  std::vector<GivenImage> all;
  for (const nb::handle image : images)
    if (nb::isinstance<nb::str>(image))
      all.emplace_back(nb::cast<std::string>(image));
    else
      all.emplace_back(view_of(nb::cast<ReadArray>(image)));
  return all;
}

imageio::CountedImage open_array(ConstVoxelView voxels, const std::string& name,
                                 const AboutImages& about) {
  imageio::CountedImage image;
  image.info.path = name;
  image.info.extent = voxels.extent();
  image.info.type = voxels.type();
  set_spacing(about, image.info);
  image.source = std::make_unique<MemorySource>(voxels);
  return image;
}

std::vector<UnopenedImage> unopened(const std::vector<GivenImage>& images, Planes planes,
                                    const AboutImages& about) {
  std::vector<UnopenedImage> all;
  for (const GivenImage& image : images) {
    if (const auto* path = std::get_if<std::string>(&image))
      all.push_back(textures::unopened({*path}, planes, about.open_options()).front());
    else
      all.push_back(array_image(std::get<ConstVoxelView>(image),
                                fmt::format("images[{}]", all.size()), planes, about));
  }
  return all;
}

}  // namespace synthoscope::python
