// SPDX-License-Identifier: MIT
// python/arrays.hpp — arrays of Python as volumes of voxels, where they lie.
#pragma once
#include <nanobind/ndarray.h>
#include "core/view.hpp"

namespace synthoscope::python {

/// (z, y, x) in C order, in the memory of the host.
using ReadArray =
    nanobind::ndarray<nanobind::ro, nanobind::ndim<3>, nanobind::c_contig, nanobind::device::cpu>;
using WrittenArray =
    nanobind::ndarray<nanobind::ndim<3>, nanobind::c_contig, nanobind::device::cpu>;

/// @throws InvalidSpec  voxels are of another type than int8 to uint32, float32 or float64.
ConstVoxelView view_of(const ReadArray& array);
VoxelView view_of(const WrittenArray& array);

}  // namespace synthoscope::python
