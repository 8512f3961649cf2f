// SPDX-License-Identifier: MIT
// python/files/given_images.hpp — images that Python gives to be looked at: names of files, or
// arrays.
#pragma once
#include <nanobind/nanobind.h>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
#include "core/volume/view.hpp"
#include "textures/images/unopened_image.hpp"

namespace synthoscope::python {

/// What is known of images besides.
struct AboutImages {
  std::optional<std::int64_t> channel, frame;                    ///< of files with several
  std::optional<std::tuple<double, double, double>> spacing_um;  ///< of voxels of arrays (z, y, x)

  [[nodiscard]] imageio::OpenOptions open_options() const {
    return {.channel = channel, .frame = frame, .limits = {}};
  }
};

/// The name of a file, or voxels that the caller keeps alive.
using GivenImage = std::variant<std::string, ConstVoxelView>;

/// @param images  texts, or arrays (z, y, x) as ReadArray has them. Needs the interpreter's lock.
/// @throws as view_of
std::vector<GivenImage> given_images(const nanobind::list& images);

/// Returns voxels that lie in memory as an image that is open. Needs no lock.
/// @param name  for messages
/// @throws InvalidSpec  a spacing is not positive.
imageio::CountedImage open_array(ConstVoxelView voxels, const std::string& name,
                                 const AboutImages& about);

/// Returns images before any voxel of them is read. Needs no lock.
/// @throws as textures::unopened; InvalidSpec  an array has no voxels, or a spacing is not
///         positive.
std::vector<textures::UnopenedImage> unopened(const std::vector<GivenImage>& images,
                                              textures::Planes planes, const AboutImages& about);

}  // namespace synthoscope::python
