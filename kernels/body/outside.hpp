// SPDX-License-Identifier: MIT
// kernels/body/outside.hpp — the coordinate, or the voxel, that is used for a coordinate outside an
// image. Host and device compile this file.
#pragma once
#include <algorithm>
#include <cmath>
#include "core/volume/boundary.hpp"

namespace synthoscope::kernels {

/// Coordinates of an image of n voxels run from 0 to n - 1. Outside,
///   zero           there is the fill value, and nothing is mixed with it (scipy: constant)
///   grid_constant  there are voxels of the fill value, and the last ones are mixed with them
///   nearest        voxels equal the nearest one
///   reflect, mirror, wrap  the voxels continue as Boundary says (scipy's grid-wrap is wrap)
///   scipy_wrap     the values repeat with the period n - 1: the last voxel and the first are one
enum class Outside { zero, grid_constant, nearest, reflect, mirror, wrap, scipy_wrap };

/// Beyond this distance from an image nothing changes any more under nearest and grid_constant,
/// including the spline of its voxels (kSplineReach).
inline constexpr std::int64_t kMargin = 20;

/// Returns how the voxels continue when they are interpolated next to a face, and when a spline is
/// fitted.
inline Boundary boundary_of(Outside outside) {
  switch (outside) {
    case Outside::grid_constant:
      return Boundary::zero;
    case Outside::nearest:
      return Boundary::nearest;
    case Outside::reflect:
      return Boundary::reflect;
    case Outside::wrap:
      return Boundary::wrap;
    case Outside::zero:
    case Outside::mirror:
    case Outside::scipy_wrap:
      break;
  }
  return Boundary::mirror;
}

/// Rounding may put a coordinate this far outside a face that it is on, such as the last plane of a
/// deskewed stack.
inline constexpr double kBesideFace = 1e-9;

/// Returns whether there is a value at `c` under Outside::zero; `placed` moves `c` onto the face.
constexpr bool has_value(double c, std::int64_t n) {
  return c >= -kBesideFace && c <= static_cast<double>(n - 1) + kBesideFace;
}

/// Returns `c` limited to a magnitude of 2^40, which is outside every image; sums with it are exact
/// to 2^-12. NaN becomes -2^40.
inline double limited(double c) {
  constexpr double kFar = 0x1p40;
  return c >= -kFar ? std::min(c, kFar) : -kFar;
}

/// Returns the position of a coordinate in a period of n - 1. As in scipy.ndimage, whole numbers of
/// periods before the image give the far end of it, those after the image the near end.
inline double in_period(double c, std::int64_t n) {
  if (n == 1) return 0;
  const double period = static_cast<double>(n - 1);
  if (c < 0) return c + period * (std::floor(-c / period) + 1);
  return c > period ? c - period * std::floor(c / period) : c;
}

/// Returns the coordinate of an axis of `n` voxels that is looked up for `c`. NaN, or a magnitude
/// above 2^40, counts as far outside.
inline double placed(Outside outside, double c, std::int64_t n) {
  const double limit = limited(c), last = static_cast<double>(n - 1);
  const double beyond = static_cast<double>(kMargin);
  switch (outside) {
    case Outside::zero:
      return std::clamp(limit, 0.0, last);
    case Outside::nearest:
    case Outside::grid_constant:
      return std::clamp(limit, -beyond, last + beyond);
    case Outside::scipy_wrap:
      return in_period(limit, n);
    case Outside::reflect:
    case Outside::mirror:
    case Outside::wrap:
      break;
  }
  return limit;
}

/// Returns where in the image, or half a voxel outside it, the value at `c` is repeated from.
inline double brought_in(Outside outside, double c, std::int64_t n) {
  const double last = static_cast<double>(n - 1);
  if (c >= 0 && c <= last) return c;
  const auto in_steps_of = [c](double period) { return c - period * std::floor(c / period); };
  switch (outside) {
    case Outside::reflect: {
      const double there = in_steps_of(2 * last + 2);
      // The half voxel before the image belongs to its first voxel without reflection
      if (there >= 2 * last + 1.5) return there - (2 * last + 2);
      return there < last + 1 ? there : 2 * last + 1 - there;
    }
    case Outside::mirror: {
      if (n == 1) return 0;
      const double there = in_steps_of(2 * last);
      // As in scipy.ndimage, half a voxel after the image is not yet reflected
      return there <= last || (c > 0 && there < last + 1) ? there : 2 * last - there;
    }
    case Outside::wrap:
      return in_steps_of(last + 1);
    case Outside::scipy_wrap:
      return in_period(c, n);
    case Outside::zero:
    case Outside::grid_constant:
    case Outside::nearest:
      break;
  }
  return c;
}

/// Returns the position of the voxel nearest to `c`, in [0, n); kOutside if the fill value is
/// there. Of two equally near, returns the later one, after the coordinate is brought into the
/// image: an image and its reflection choose different ones.
inline std::int64_t nearest_voxel(Outside outside, double c, std::int64_t n) {
  const double limit = limited(c);
  if (outside == Outside::zero && !has_value(limit, n)) return kOutside;
  const double there = brought_in(outside, limit, n);
  return mapped_index(boundary_of(outside), static_cast<std::int64_t>(std::floor(there + 0.5)), n);
}

}  // namespace synthoscope::kernels
