// SPDX-License-Identifier: MIT
// fit/objects/object_form.hpp — an object within its box: its surface, parts and holes.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/box.hpp"
#include "core/volume/view.hpp"

namespace synthoscope::fit {

/// A voxel of the surface, counted from the corner of the image.
struct SurfaceVoxel {
  std::int32_t z = 0, y = 0, x = 0;
};

struct ObjectForm {
  /// Voxels with a neighbour across a face (in a plane: an edge) that is not in the object.
  std::vector<SurfaceVoxel> surface;
  int parts = 0;                 ///< that do not touch, not even by corners
  std::int64_t hole_voxels = 0;  ///< enclosed by the object: other labels as well as background
};

/// @param box  contains all voxels of `label`
ObjectForm form_of(HostView3<const std::uint32_t> labels, const Box3& box, std::uint32_t label);

/// Returns the bytes that form_of needs for a box, without its result.
std::int64_t form_bytes(const Box3& box);

}  // namespace synthoscope::fit
