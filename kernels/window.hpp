// SPDX-License-Identifier: MIT
// kernels/window.hpp — the part of an image that is in memory while results are made of it.
#pragma once
#include "core/volume/boundary.hpp"
#include "core/volume/box.hpp"
#include "core/volume/view.hpp"
#include "kernels/body/held_index.hpp"

namespace synthoscope::kernels {

/// Voxels of a box of an image, in the image's own type. The whole image is a window of itself.
struct Window {
  Extent3 image;          ///< of all of it
  Box3 box;               ///< what is held; past the image's faces under Boundary::wrap alone
  ConstVoxelView voxels;  ///< of extent box.size
};

/// The whole of an image that is in memory.
Window whole_window(ConstVoxelView image);

/// What must be held to know the voxels of `positions`, a box anywhere, at least one voxel. Inside
/// the image, but under Boundary::wrap, where it may begin before it or end behind it: the image is
/// then repeated as far as the box goes.
Box3 held_box(Boundary boundary, const Box3& positions, const Extent3& image);

/// Copies the voxels at `positions`, a box anywhere whose voxels are held, converted to T. Voxels
/// outside under Boundary::zero are `fill`. T is float or double, or the window's own type.
/// @param to  of extent positions.size
template <class T>
void copy_positions(const Window& window, Boundary boundary, const Box3& positions, T fill,
                    HostView3<T> to);

/// The `count` voxels of a row from `x` on.
VoxelView part_of_row(const VoxelView& volume, std::int64_t z, std::int64_t y, std::int64_t x,
                      std::int64_t count);

}  // namespace synthoscope::kernels
