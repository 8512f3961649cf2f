// SPDX-License-Identifier: MIT
// kernels/outside.hpp — what stands at coordinates outside an image, with the meanings of
// scipy.ndimage.
#pragma once
#include <optional>
#include <string_view>
#include "core/boundary.hpp"

namespace synthoscope::kernels {

/// Coordinates of an image of n voxels run from 0 to n - 1. Outside,
///   zero           the fill value stands, and nothing is mixed with it (scipy: constant)
///   grid_constant  voxels of the fill value stand, and the last ones are mixed with them
///   nearest        voxels like the nearest one stand
///   reflect, mirror, wrap  the voxels go on as Boundary says (scipy's grid-wrap is wrap)
///   scipy_wrap     the values repeat with the period n - 1: the last voxel and the first are one
enum class Outside { zero, grid_constant, nearest, reflect, mirror, wrap, scipy_wrap };

/// "grid-constant".
std::string_view name_of(Outside outside);
std::optional<Outside> outside_named(std::string_view name);

/// True where the fill value stands outside.
constexpr bool has_fill(Outside outside) {
  return outside == Outside::zero || outside == Outside::grid_constant;
}

/// How the voxels go on where they are interpolated beside a face, and where a spline is fitted.
Boundary boundary_of(Outside outside);

/// The coordinate of an axis of `n` voxels that is looked up for `c`. A coordinate that is not a
/// number, or larger than 2^40, is one far outside.
/// @param margin  voxels beyond the faces from where on nothing changes under nearest and
///                grid_constant.
double placed(Outside outside, double c, std::int64_t n, std::int64_t margin);

/// The position of the voxel nearest to `c`, in [0, n); kOutside where the fill value stands. Of
/// two equally near, the one behind, once the coordinate is brought into the image: a picture and
/// its reflection choose different ones.
std::int64_t nearest_voxel(Outside outside, double c, std::int64_t n);

/// Two coordinates between which all of [low, high] are placed.
struct PlacedRange {
  double low, high;
};
PlacedRange placed_range(Outside outside, double low, double high, std::int64_t n,
                         std::int64_t margin);

/// Whether `c` is one of an image of `n` voxels.
constexpr bool is_within(double c, std::int64_t n) {
  return c >= 0 && c <= static_cast<double>(n - 1);
}

/// So far beside a face rounding may put a coordinate that is on it.
inline constexpr double kBesideFace = 1e-9;

/// Whether there is a value at `c` under Outside::zero. What rounding puts beside a face, such as
/// the last plane of a deskewed stack, is on it; `placed` brings it there.
constexpr bool has_value(double c, std::int64_t n) {
  return c >= -kBesideFace && c <= static_cast<double>(n - 1) + kBesideFace;
}

}  // namespace synthoscope::kernels
