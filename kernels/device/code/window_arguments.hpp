// SPDX-License-Identifier: MIT
// kernels/device/code/window_arguments.hpp — windows and results as arguments of device code; host
// and device compile this file, so it includes nothing.
#pragma once

namespace synthoscope::kernels::device {

using Count = long long;  ///< of voxels: 64 bits for both compilers

/// The held part of an axis of an image: positions [origin, origin + size) of `image`.
struct HeldAxis {
  Count image = 1, origin = 0, size = 1;
};

/// Voxels in z, y, x order without gaps.
struct HeldVoxels {
  const void* voxels = nullptr;
  HeldAxis z, y, x;
};

/// A box of a result, in z, y, x order without gaps.
struct MadeVoxels {
  void* voxels = nullptr;
  Count z = 0, y = 0, x = 0;                ///< position of its first voxel
  Count planes = 0, rows = 0, columns = 0;  ///< of the box
  unsigned long long* counts = nullptr;     ///< of clipped and of non-finite voxels, to add to
};

}  // namespace synthoscope::kernels::device
