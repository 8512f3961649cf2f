// SPDX-License-Identifier: MIT
#include "kernels/device/code/programs.hpp"
#include "core/base/assert.hpp"

namespace synthoscope::kernels::device {

HeldVoxels held_voxels(const DeviceWindow& window) {
  // Kernels keep indices within a plane as int
  SYNTHOSCOPE_ASSERT(window.box.size.y * window.box.size.x, <, std::int64_t{1} << 31);
  const Extent3 &image = window.image, &size = window.box.size;
  const Index3& origin = window.box.origin;
  return {window.voxels,
          {image.z, origin.z, size.z},
          {image.y, origin.y, size.y},
          {image.x, origin.x, size.x}};
}

MadeVoxels made_voxels(const Box3& box, std::byte* out, unsigned long long* counts) {
  return {out,        box.origin.z, box.origin.y, box.origin.x,
          box.size.z, box.size.y,   box.size.x,   counts};
}

}  // namespace synthoscope::kernels::device
