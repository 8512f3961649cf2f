// SPDX-License-Identifier: MIT
#include "kernels/coordinates/warp.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/round_up.hpp"

namespace synthoscope::kernels {
namespace {

double real(std::int64_t i) {
  return static_cast<double>(i);
}

/// Block of displacements whose bounds are kept: about as large as a tile of a result.
constexpr Extent3 kBlock{1, 16, 64};

Extent3 displacement_blocks(const Extent3& all) {
  return {parts_of(all.z, kBlock.z), parts_of(all.y, kBlock.y), parts_of(all.x, kBlock.x)};
}

/// Returns the first voxel of a block.
Index3 block_at(const Extent3& blocks, std::int64_t i) {
  return {i / blocks.x / blocks.y * kBlock.z, i / blocks.x % blocks.y * kBlock.y,
          i % blocks.x * kBlock.x};
}

/// Returns one of the eight corner voxels of a box; the last is farthest from the first voxel.
Index3 corner_of(const Box3& box, int corner) {
  const auto end = [&](std::int64_t origin, std::int64_t size, int bit) {
    return (corner >> bit) & 1 ? origin + size - 1 : origin;
  };
  return {end(box.origin.z, box.size.z, 2), end(box.origin.y, box.size.y, 1),
          end(box.origin.x, box.size.x, 0)};
}

}  // namespace

ProjectiveMap::ProjectiveMap(const Matrix& matrix) {
  for (const auto& row : matrix)
    for (const double a : row)
      if (!std::isfinite(a))
        throw InvalidSpec(
            "look up by a homography: one of its numbers is not finite; use finite numbers");
  if (std::all_of(matrix[3].begin(), matrix[3].end(), [](double a) { return a == 0; }))
    throw InvalidSpec(
        "look up by a homography: its last row is all zeros, so that no voxel has a coordinate; "
        "use one such as 0,0,1");
  for (std::size_t i = 0; i < 4; ++i) std::copy(matrix[i].begin(), matrix[i].end(), body_.rows[i]);
  keeps_planes_ = matrix[0] == std::array<double, 4>{1, 0, 0, 0} && matrix[1][0] == 0 &&
                  matrix[2][0] == 0 && matrix[3][0] == 0;
}

void ProjectiveMap::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                        const CoordinateRow& to) const {
  const auto find = [&](const auto& at) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Coordinate3 c = at(real(x + i));
      to.z[i] = c.z;
      to.y[i] = c.y;
      to.x[i] = c.x;
    }
  };
  if (keeps_planes_)
    find([&](double column) { return body_.at<true>(real(z), real(y), column); });
  else
    find([&](double column) { return body_.at<false>(real(z), real(y), column); });
}

CoordinateRange ProjectiveMap::range(const Box3& box) const {
  // Lines stay lines: the image of a box is the hull of its corners, unless a part has no
  // coordinate
  CoordinateRange hull = CoordinateRange::nowhere();
  double divisor = INFINITY;  // the least
  for (int corner = 0; corner < 8; ++corner) {
    const Index3 o = corner_of(box, corner);
    Coordinate3 c;
    row(o.z, o.y, o.x, 1, {&c.z, &c.y, &c.x});
    if (!std::isfinite(c.z) || !std::isfinite(c.y) || !std::isfinite(c.x))
      return CoordinateRange::everywhere();
    hull.widen({c, c});
    divisor = std::min(divisor, body_.sum(3, real(o.z), real(o.y), real(o.x)));
  }

  // Errors of sums are relative to their terms, which nearly cancel in a divisor near 0
  const Index3 last = corner_of(box, 7);
  const auto terms = [&](int i) {
    const auto& row = body_.rows[i];
    return std::fabs(real(last.z) * row[0]) + std::fabs(real(last.y) * row[1]) +
           std::fabs(real(last.x) * row[2]) + std::fabs(row[3]);
  };
  if (!(divisor > 1e-9 * terms(3))) return CoordinateRange::everywhere();
  const auto widen = [&](int axis, double& low, double& high) {
    const double most = std::max(std::fabs(low), std::fabs(high));
    const double room = kRoundingRoom + 1e-14 * (terms(axis) + most * terms(3)) / divisor;
    low -= room;
    high += room;
  };
  if (!keeps_planes_) widen(0, hull.low.z, hull.high.z);
  widen(1, hull.low.y, hull.high.y);
  widen(2, hull.low.x, hull.high.x);
  return hull;
}

DisplacementMap::DisplacementMap(HostView3<const float> z, HostView3<const float> y,
                                 HostView3<const float> x)
    : fields_{z, y, x} {
  blocks_ = displacement_blocks(y.extent());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bounds_[axis].resize(static_cast<std::size_t>(volume(blocks_)));
    if (!fields_[axis].data()) continue;
    for (std::size_t i = 0; i < bounds_[axis].size(); ++i)
      bounds_[axis][i] = bounds_of(fields_[axis], block_at(blocks_, static_cast<std::int64_t>(i)));
  }
}

std::int64_t DisplacementMap::kept_bytes(const Extent3& result) {
  return 3 * volume(displacement_blocks(result)) * std::int64_t{sizeof(Bounds)};
}

DisplacementMap::Bounds DisplacementMap::bounds_of(const HostView3<const float>& field,
                                                   const Index3& block) const {
  const Box3 box = intersection({block, kBlock}, whole(field.extent()));
  std::array<float, kBlock.x> low, high;
  low.fill(INFINITY);
  high.fill(-INFINITY);
  int misses = 0;
  for (std::int64_t row = 0; row < box.size.z * box.size.y; ++row) {
    const float* const by =
        field.row(box.origin.z + row / box.size.y, box.origin.y + row % box.size.y) + box.origin.x;
    // Column by column: a loop that updates a single minimum would not be vectorised
    for (std::size_t x = 0; x < static_cast<std::size_t>(box.size.x); ++x) {
      low[x] = by[x] < low[x] ? by[x] : low[x];
      high[x] = by[x] > high[x] ? by[x] : high[x];
      misses |= std::isnan(by[x]) ? 1 : 0;
    }
  }
  if (misses) return {-INFINITY, INFINITY};
  return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
}

void DisplacementMap::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                          const CoordinateRow& to) const {
  const auto add = [&](std::size_t axis, std::int64_t first, std::int64_t step, double* c) {
    const float* const by = fields_[axis].data() ? fields_[axis].row(z, y) + x : nullptr;
    for (std::int64_t i = 0; i < count; ++i)
      c[i] = real(first + step * i) + (by ? static_cast<double>(by[i]) : 0.0);
  };
  add(0, z, 0, to.z);
  add(1, y, 0, to.y);
  add(2, x, 1, to.x);
}

CoordinateRange DisplacementMap::range(const Box3& box) const {
  CoordinateRange range = CoordinateRange::nowhere();
  const Index3 end{box.origin.z + box.size.z, box.origin.y + box.size.y, box.origin.x + box.size.x};
  // Each step goes from the first voxel of the box in a block to the next block
  for (std::int64_t z = box.origin.z, z_end; z < end.z; z = z_end) {
    z_end = std::min(end.z, (z / kBlock.z + 1) * kBlock.z);
    for (std::int64_t y = box.origin.y, y_end; y < end.y; y = y_end) {
      y_end = std::min(end.y, (y / kBlock.y + 1) * kBlock.y);
      const std::int64_t row = (z / kBlock.z * blocks_.y + y / kBlock.y) * blocks_.x;
      for (std::int64_t x = box.origin.x, x_end; x < end.x; x = x_end) {
        x_end = std::min(end.x, (x / kBlock.x + 1) * kBlock.x);
        const auto at = static_cast<std::size_t>(row + x / kBlock.x);
        const auto& [by_z, by_y, by_x] = bounds_;
        range.widen(
            {{real(z) + double{by_z[at].low}, real(y) + double{by_y[at].low},
              real(x) + double{by_x[at].low}},
             {real(z_end - 1) + double{by_z[at].high}, real(y_end - 1) + double{by_y[at].high},
              real(x_end - 1) + double{by_x[at].high}}});
      }
    }
  }
  return range;
}

}  // namespace synthoscope::kernels
