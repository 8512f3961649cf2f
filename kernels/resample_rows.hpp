// SPDX-License-Identifier: MIT
// kernels/resample_rows.hpp — an image looked up at a row of coordinates.
#pragma once
#include <optional>
#include <string_view>
#include "kernels/coordinates.hpp"
#include "kernels/vector_level.hpp"
#include "kernels/window.hpp"

namespace synthoscope::kernels {

/// How an image is known between its voxels. cubic takes coefficients (spline_prefilter.hpp).
enum class Interpolation { nearest, linear, cubic, lanczos };

std::string_view name_of(Interpolation interpolation);
std::optional<Interpolation> interpolation_named(std::string_view name);

/// Which voxels count along an axis for a coordinate c: `count` from whole_below(c) + first on.
/// Along an axis where coordinates are whole, the one voxel that stands there.
struct TapRange {
  int first = 0, count = 1;
};
TapRange taps_of(Interpolation interpolation, bool is_whole_axis);

/// At most so many voxels are made at once.
inline constexpr int kResampleRow = 128;

/// Voxels that hold all which count for a row.
struct FloatVoxels {
  const float* data;
  Index3 origin;  ///< of the first voxel
  std::int64_t plane,
      pitch;  ///< elements from plane to plane and from row to row, below 2^31 in all
};

/// Sums what counts at each coordinate: along z, then y, then x, each in the order of positions, so
/// that the same bits come out at every vector level and however voxels are held.
/// @param at     placed, all of whose taps `voxels` holds; `count` <= kResampleRow of them.
/// @param how    linear, cubic or lanczos.
/// @param out    room for kResampleRow voxels.
void interpolate_row(Interpolation how, const WholeAxes& whole, VectorLevel level,
                     const CoordinateRow& at, int count, const FloatVoxels& voxels, float* out);

/// The same from a window of any type, voxel by voxel: for coordinates so far apart that the voxels
/// between them are not worth a copy.
/// @param shift  position in the window's image of the voxel with coordinate 0.
/// @param fill   stands outside under Boundary::zero.
void interpolate_sparse_row(Interpolation how, const WholeAxes& whole, const CoordinateRow& at,
                            int count, const Window& window, Boundary boundary, const Index3& shift,
                            float fill, float* out);

}  // namespace synthoscope::kernels
