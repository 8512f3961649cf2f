// SPDX-License-Identifier: MIT
// kernels/resample/rows.hpp — an image looked up at a row of coordinates.
#pragma once
#include <optional>
#include <string_view>
#include "core/vector/vector_level.hpp"
#include "kernels/coordinates/coordinates.hpp"
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {

/// How an image is interpolated between voxels. cubic reads coefficients (splines/prefilter.hpp).
enum class Interpolation { nearest, linear, cubic, lanczos };

std::string_view name_of(Interpolation interpolation);
std::optional<Interpolation> interpolation_named(std::string_view name);

/// Which voxels count along an axis for a coordinate c: `count` from whole_below(c) + first on.
/// Along an axis with whole coordinates, only the voxel at the coordinate.
struct TapRange {
  int first = 0, count = 1;
};
TapRange taps_of(Interpolation interpolation, bool is_whole_axis);

/// Largest number of voxels computed at once.
inline constexpr int kResampleRow = 128;

/// Voxels that include all that count for a row.
struct FloatVoxels {
  const float* data;
  Index3 origin;  ///< of the first voxel
  std::int64_t plane,
      pitch;  ///< elements from plane to plane and from row to row, below 2^31 in total
};

/// Sums what counts at each coordinate: along z, then y, then x, each in the order of positions, so
/// that results have the same bits at every vector level and however voxels are held.
/// @param at     placed, `count` <= kResampleRow of them; `voxels` holds all their taps.
/// @param how    linear, cubic or lanczos.
/// @param out    space for kResampleRow voxels.
void interpolate_row(Interpolation how, const WholeAxes& whole, VectorLevel level,
                     const CoordinateRow& at, int count, const FloatVoxels& voxels, float* out);

/// Does the same from a window of any type, voxel by voxel: for coordinates so far apart that the
/// voxels between them are not worth a copy.
/// @param shift  position in the window's image of the voxel with coordinate 0.
/// @param fill   value outside under Boundary::zero.
void interpolate_sparse_row(Interpolation how, const WholeAxes& whole, const CoordinateRow& at,
                            int count, const Window& window, Boundary boundary, const Index3& shift,
                            float fill, float* out);

}  // namespace synthoscope::kernels
