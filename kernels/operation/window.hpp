// SPDX-License-Identifier: MIT
// kernels/operation/window.hpp — the part of an image that is in memory while results are made from
// it.
#pragma once
#include "core/volume/boundary.hpp"
#include "core/volume/box.hpp"
#include "core/volume/view.hpp"
#include "kernels/body/held_index.hpp"

namespace synthoscope::kernels {

/// Voxels of a box of an image, in the image's own type. The whole image is a window of itself.
struct Window {
  Extent3 image;          ///< of the whole image
  Box3 box;               ///< what is held; beyond the image's faces only under Boundary::wrap
  ConstVoxelView voxels;  ///< of extent box.size
};

/// Returns the window of a whole image that is in memory.
Window whole_window(ConstVoxelView image);

/// Returns what must be held to know the voxels of `positions`, a box anywhere, at least one voxel.
/// It lies inside the image, except under Boundary::wrap, where it may begin before the image or
/// end after it: the image is then repeated as far as the box extends.
Box3 held_box(Boundary boundary, const Box3& positions, const Extent3& image);

/// Copies the voxels at `positions`, a box anywhere whose voxels are held, converted to T. Voxels
/// outside under Boundary::zero are `fill`. T is float or double, or the window's own type.
/// @param to  of extent positions.size
template <class T>
void copy_positions(const Window& window, Boundary boundary, const Box3& positions, T fill,
                    HostView3<T> to);

/// Returns a view of the `count` voxels of a row from `x` on.
VoxelView part_of_row(const VoxelView& volume, std::int64_t z, std::int64_t y, std::int64_t x,
                      std::int64_t count);

}  // namespace synthoscope::kernels
