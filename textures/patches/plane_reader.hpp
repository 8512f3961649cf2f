// SPDX-License-Identifier: MIT
// textures/patches/plane_reader.hpp — one plane of a stack as grey values, and its objects.
#pragma once
#include <cstdint>
#include <string>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "textures/patches/grey_plane.hpp"
#include "textures/patches/plane_patches.hpp"

namespace synthoscope::textures {

/// Returns a plane as double precision.
/// @param name  of the image, for messages
/// @throws InvalidInput  a pixel is NaN or infinite.  @throws what reading throws.
GreyPlane read_plane(Source& source, std::int64_t z, const std::string& name,
                     const RunContext& context);

/// Returns the plane with the largest standard deviation of a difference of Gaussians (1.5 and 2.4
/// pixels): the one in focus. Of equal ones the first.
/// @throws as read_plane
std::int64_t sharpest_plane(Source& source, const std::string& name, const RunContext& context);

/// Returns where a plane of labels is not 0. Labels may have a whole number of pixels for each
/// pixel of the image, as those of cameras that bin: the middle label counts.
/// @param image  extent of the image that they belong to
/// @throws InvalidInput  their extent does not fit the image.  @throws as read_plane
ObjectMask read_mask(Source& labels, std::int64_t z, const Extent3& image, const std::string& name,
                     const RunContext& context);

/// Bytes that sharpest_plane() holds for each pixel of a plane and each thread.
inline constexpr std::int64_t kSharpnessBytes = 6 * std::int64_t{sizeof(double)};

}  // namespace synthoscope::textures
