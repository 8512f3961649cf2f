// SPDX-License-Identifier: MIT
// textures/images/grey_image.hpp — an image as textures are measured in it: one value a voxel.
#pragma once
#include <filesystem>
#include "core/base/names.hpp"
#include "imageio/run/counted_image.hpp"

namespace synthoscope::textures {

/// Which planes of a stack are looked at.
enum class Planes { all, middle };
inline constexpr NameTable<Planes, 2> kPlanesNames{
    {{Planes::all, "all"}, {Planes::middle, "middle"}}};

/// Opens one stack; `info` describes what is read. If no channel is chosen, RGB pixels become their
/// luminance, 0.2126 R + 0.7152 G + 0.0722 B, as float32: the weights of Rec. ITU-R BT.709-6,
/// applied to stored values.
/// @throws as open_counted
/// @throws InvalidInput  a colour image of a type other than uint8, uint16 and float32.
imageio::CountedImage open_grey(const std::filesystem::path& path,
                                const imageio::OpenOptions& options, Planes planes,
                                const RunContext& context);

/// The standard deviation of all voxels of `source`, 0 where it is no more than what rounding
/// leaves of voxels that are all alike; `info` names it in complaints.
/// @throws InvalidInput  a voxel is NaN or infinite.  @throws as imageio::statistics.
double deviation_of(Source& source, const imageio::ImageInfo& info, const RunContext& context);

}  // namespace synthoscope::textures
