// SPDX-License-Identifier: MIT
// fftconv/axis.hpp — one axis of a convolution: which voxels are loaded, which results are made,
// how long the transform must be, and where the kernel is placed in it.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/boundary.hpp"
#include "core/volume/interval.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// Everything about one axis that does not depend on voxels. Positions are transform indices:
/// loaded voxel p of the image is at p, result voxel v at v.
///
/// Only kernel voxels that can bring a loaded voxel to a wanted result count. Kernel voxel first +
/// j (in convolution order) is at j + shift; negative positions wrap. The transform must be so long
/// that nothing that wraps reaches a wanted result:
///      length >= loaded + kernel_count - 1 + shift   and   length >= wanted - shift
struct AxisGeometry {
  std::int64_t image = 1, kernel = 1, center = 0;  ///< centre in convolution order
  Boundary boundary = Boundary::zero;
  std::int64_t load_begin = 0, loaded = 1;    ///< image positions, outside [0, image) by boundary
  std::int64_t result_begin = 0, wanted = 1;  ///< result positions relative to the image
  std::int64_t kernel_begin = 0, kernel_count = 1;
  bool flip = false;  ///< correlation: convolution order runs backwards through the kernel
  std::int64_t shift = 0;
  std::int64_t min_length = 1;
};

/// Returns the geometry of an axis.
/// @param center  in the kernel's own order, also for correlation
/// @param part    of the result that is made; all of it if the count is 0
AxisGeometry axis_geometry(std::int64_t image, std::int64_t kernel, std::int64_t center,
                           Boundary boundary, Shape shape, bool correlate,
                           const Interval& part = {});

/// An axis of extents and of positions.
struct VolumeAxis {
  std::int64_t Extent3::*size;
  std::int64_t Index3::*at;
};
inline constexpr VolumeAxis kAlongZ{&Extent3::z, &Index3::z}, kAlongY{&Extent3::y, &Index3::y},
    kAlongX{&Extent3::x, &Index3::x};

/// Returns the geometry of an axis of a problem.
AxisGeometry axis_geometry(const Problem& problem, const VolumeAxis& axis);

/// Returns whether a cyclic transform of `length` needs no padding, because the image wraps around
/// and fills it: then the transform wraps as the image does. Not for x, whose transform is
/// negacyclic.
bool can_close(const AxisGeometry& axis, std::int64_t length);

/// Returns the whole axis in a cyclic transform of `length`: closed to a ring if it can be
/// (can_close), otherwise unchanged.
AxisGeometry fitted(const AxisGeometry& axis, std::int64_t length);

/// Returns the geometry that makes the results [first, first + count) of an axis, with positions of
/// its own. All such ranges of an axis place the kernel in the same way and share its spectrum. A
/// range may load positions outside the image, which are zero with boundary zero.
AxisGeometry part_of(const AxisGeometry& axis, std::int64_t first, std::int64_t count);

/// The positions [position, position + count) of a transform, which are filled from the source
/// indices source, source + step, ...
struct IndexRun {
  std::int64_t position = 0, source = 0, count = 0;
  int step = 1;           ///< -1 if a boundary reflects, 0 if it repeats one voxel
  bool negative = false;  ///< wrapped along x, where the transform is negacyclic
  friend bool operator==(const IndexRun&, const IndexRun&) = default;
};

/// Returns the source indices of all loaded positions; positions without a run are zero.
std::vector<IndexRun> image_runs(const AxisGeometry& axis);

/// Returns the source indices of the runs, position by position.
std::vector<std::int64_t> sources_of(const std::vector<IndexRun>& runs);

/// From the smallest source index of all runs to one past the largest.
struct SourceRange {
  std::int64_t begin = 0, end = 0;
};

SourceRange range_of(const std::vector<IndexRun>& runs);

/// Returns the position of each kernel voxel in a transform of `length`.
std::vector<IndexRun> kernel_runs(const AxisGeometry& axis, std::int64_t length);

}  // namespace synthoscope::fftconv
