// SPDX-License-Identifier: MIT
#include "kernels/device/resample/lookup.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/round_up.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr double kMaxPosition = 0x1p30;  ///< the largest that kernels keep as int

struct HeldPositions {
  std::int64_t first, count, all;
};

/// Sets an axis along which `taps` voxels, from whole_below(c) + taps.first on, count.
void look_up(LookupAxis& axis, const HeldPositions& held, const TapRange& taps) {
  const std::int64_t from = held.first - axis.shift - taps.first;
  axis.rounder = kWholeRounder - static_cast<double>(from);
  axis.safe = static_cast<unsigned>(std::max<std::int64_t>(held.count - taps.count + 1, 0));
}

/// Sets an axis along which the nearest voxel is looked up. The first and the last voxel are safe
/// only if coordinates are whole: up to half a voxel outside the image, another voxel may be right.
void look_up_nearest(LookupAxis& axis, const HeldPositions& held, bool is_whole) {
  const std::int64_t beside = is_whole ? 0 : 1;
  const std::int64_t first = std::max(held.first, beside);
  const std::int64_t end = std::min(held.first + held.count, held.all - beside);
  axis.first = first - held.first;
  axis.rounder = kWholeRounder - static_cast<double>(first);
  axis.safe = static_cast<unsigned>(std::max<std::int64_t>(end - first, 0));
}

bool is_near(double low, double high) {
  return low >= -kMaxPosition && high <= kMaxPosition;
}

/// Distance |dz| + |dy| of the coordinates of neighbouring voxels of the result, along y and along
/// x.
struct LookupSteps {
  double by_y = 0, by_x = 0;
};

/// Returns the steps at the middle of a box at the result's origin; 0 if there is no next voxel, or
/// no coordinate.
LookupSteps steps_of(const CoordinateMap& map, const Extent3& box) {
  const auto at = [&](std::int64_t y, std::int64_t x) {
    Coordinate3 c;
    map.row(box.z / 2, std::min(y, box.y - 1), std::min(x, box.x - 1), 1, {&c.z, &c.y, &c.x});
    return c;
  };
  const std::int64_t y = box.y / 2, x = box.x / 2;
  const Coordinate3 here = at(y, x);
  const auto step = [&](const Coordinate3& next) {
    const double far = std::fabs(next.z - here.z) + std::fabs(next.y - here.y);
    return std::isfinite(far) ? far : 0;
  };
  return {step(at(y + 1, x)), step(at(y, x + 1))};
}

}  // namespace

std::array<LookupAxis, 3> lookup_axes(const LookedUp& looked_up) {
  std::array<LookupAxis, 3> axes;
  const auto& [image, shift, extent, held, how, whole] = looked_up;
  const std::array counts{image.z, image.y, image.x}, shifts{shift.z, shift.y, shift.x};
  const std::array<HeldPositions, 3> positions{{{held.origin.z, held.size.z, extent.z},
                                                {held.origin.y, held.size.y, extent.y},
                                                {held.origin.x, held.size.x, extent.x}}};
  const std::array are_whole{whole.z, whole.y, false};
  for (std::size_t i = 0; i < 3; ++i) {
    LookupAxis& axis = axes[i];
    axis.image = counts[i];
    axis.shift = shifts[i];
    if (how == Interpolation::nearest)
      look_up_nearest(axis, positions[i], are_whole[i]);
    else
      look_up(axis, positions[i], taps_of(how, are_whole[i]));
    if (std::fabs(static_cast<double>(positions[i].first)) > kMaxPosition) axis.safe = 0;
  }
  return axes;
}

std::array<LookupAxis, 3> lookup_axes(const AffineMap& map, const LookedUp& looked_up,
                                      const Box3& box) {
  std::array<LookupAxis, 3> axes = lookup_axes(looked_up);
  const auto& [low, high] = map.range(box);
  const bool are_near = is_near(low.z, high.z) && is_near(low.y, high.y) && is_near(low.x, high.x);
  for (std::size_t i = 0; i < 3; ++i) {
    std::copy_n(map.affine().rows[i].begin(), 4, axes[i].a);
    if (!are_near) axes[i].safe = 0;
  }
  return axes;
}

Along along_of(const Affine& affine, std::size_t axis) {
  const auto& a = affine.rows[axis];
  return a[2] != 0 ? Along::columns : a[1] != 0 ? Along::rows : Along::planes;
}

int voxels_counted(Interpolation how, const WholeAxes& whole) {
  const auto along = [&](bool is_whole) { return taps_of(how, is_whole).count; };
  return along(whole.z) * along(whole.y) * along(false);
}

LookupShape lookup_shape(const CoordinateMap& map, Interpolation how, const Extent3& box,
                         int multiprocessors) {
  // The cost of one more row of the result, in lines of the image
  constexpr double kNarrower = 3.75;
  const auto [by_y, by_x] = steps_of(map, box);
  LookupShape shape;
  double least = INFINITY;
  for (const int wide : {32, 16, 8}) {
    const int tall = 32 / wide;
    const double cost = 1 + wide * by_x + (tall - 1) * (by_y + kNarrower);
    if (cost >= least) continue;
    least = cost;
    shape.wide = wide;
  }
  // As many as leave registers for the voxels that count
  const int counted = voxels_counted(how, map.whole_axes());
  shape.columns = counted <= 4 ? 4 : counted <= 16 ? 2 : 1;
  // Shorter strips if there are few voxels, so that all multiprocessors have some
  const auto blocks = [&] {
    const std::int64_t rows = rows_of(shape), columns = columns_of(shape);
    return parts_of(box.y, rows) * box.z * parts_of(box.x, columns);
  };
  while (shape.rows > 1 && blocks() < std::int64_t{8} * multiprocessors) shape.rows /= 2;
  // As many strips, of equal lengths
  const std::int64_t rows = rows_of(shape), strips = parts_of(box.y, rows) * (rows / shape.rows);
  shape.rows = static_cast<int>(parts_of(box.y, strips));
  return shape;
}

LookupShape column_shape(LookupShape shape, Interpolation how) {
  // Longer strips read fewer rows of the image twice
  shape.wide = 32;
  shape.rows = std::min(2 * shape.rows, LookupShape{}.rows);
  if (how == Interpolation::linear) shape.columns = 4;
  return shape;
}

}  // namespace synthoscope::kernels::device
