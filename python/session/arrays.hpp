// SPDX-License-Identifier: MIT
// python/session/arrays.hpp — arrays of Python as volumes of voxels, where they lie.
#pragma once
#include <nanobind/ndarray.h>
#include "core/volume/view.hpp"

namespace synthoscope::python {

/// (z, y, x) in C order, in the memory of the host.
using ReadArray =
    nanobind::ndarray<nanobind::ro, nanobind::ndim<3>, nanobind::c_contig, nanobind::device::cpu>;
using WrittenArray =
    nanobind::ndarray<nanobind::ndim<3>, nanobind::c_contig, nanobind::device::cpu>;

/// @throws InvalidSpec  the type is none of int8 to uint32, float32 and float64.
PixelType pixel_type_of(nanobind::dlpack::dtype type);
nanobind::dlpack::dtype dtype_of(PixelType type);

/// Returns a view of an array of three axes, in any memory layout.
template <class Array>
Extent3 extent_of(const Array& array) {
  const auto along = [&](std::size_t axis) { return static_cast<std::int64_t>(array.shape(axis)); };
  return {along(0), along(1), along(2)};
}

/// @throws InvalidSpec  as pixel_type_of
ConstVoxelView view_of(const ReadArray& array);
VoxelView view_of(const WrittenArray& array);

}  // namespace synthoscope::python
