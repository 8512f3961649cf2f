// SPDX-License-Identifier: MIT
#include "kernels/arrays/looked_up.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <vector>
#include "core/base/error.hpp"
#include "kernels/arrays/line_filter.hpp"
#include "kernels/lanes/counted_doubles.hpp"
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {
namespace {

// Voxels by which an image is continued for the fit, as scipy.ndimage does
constexpr std::int64_t kContinued = 12;

Index3 continued(const SplineLookup& how) {
  const bool is_other = how.outside == Outside::nearest || how.outside == Outside::grid_constant;
  if (how.order <= 1 || !how.fits || !is_other) return {};
  return {how.kept.z ? 0 : kContinued, how.kept.y ? 0 : kContinued, how.kept.x ? 0 : kContinued};
}

}  // namespace

Boundary fitted_boundary(Outside outside) {
  switch (outside) {
    case Outside::nearest:
    case Outside::reflect:
      return Boundary::reflect;
    case Outside::wrap:
      return Boundary::wrap;
    default:
      return Boundary::mirror;
  }
}

namespace {

/// Returns an array as its lines along each axis that a spline is fitted along: the middle axes.
std::vector<Extent3> fitted_lines(const SplineLookup& how, const Extent3& e) {
  std::vector<Extent3> lines;
  if (!how.kept.z) lines.push_back({1, e.z, e.y * e.x});
  if (!how.kept.y) lines.push_back({e.z, e.y, e.x});
  if (!how.kept.x) lines.push_back({e.z * e.y, e.x, 1});
  return lines;
}

}  // namespace

LookedUp::LookedUp(const SplineLookup& how, const ConstVoxelView& image, const RunContext& context)
    : outside_{how.outside}, before_{continued(how)}, voxels_{image} {
  if (how.order <= 1 || (!how.fits && image.type() == PixelType::float64)) return;
  const Extent3 e{image.extent().z + 2 * before_.z, image.extent().y + 2 * before_.y,
                  image.extent().x + 2 * before_.x};
  const Boundary boundary = fitted_boundary(how.outside);
  std::int64_t of_lines = 0;
  for (const Extent3& lines : fitted_lines(how, e))
    of_lines = std::max(of_lines, line_bytes(*line_spline(how.order, boundary, lines.y), lines,
                                             context.pool.threads()));
  require_room(context.memory, volume(e) * std::int64_t{sizeof(double)} + of_lines,
               "fit a spline to an image");
  coefficients_ = counted_doubles(context.memory, volume(e), "fit a spline to an image");
  voxels_ = HostView3<const double>{coefficients_.data(), e};
  convert(how, image, context);
  if (!how.fits) return;
  for (const Extent3& lines : fitted_lines(how, e)) {
    const HostView3<double> there{coefficients_.data(), lines};
    filter_lines(*line_spline(how.order, boundary, lines.y), {boundary, 0, {}, how.level},
                 HostView3<const double>{there}, there, context);
  }
}

/// Converts voxels to doubles, including those that continue the image.
void LookedUp::convert(const SplineLookup& how, const ConstVoxelView& image,
                       const RunContext& context) {
  const Extent3& e = voxels_.extent();
  const HostView3<double> to{coefficients_.data(), e};
  context.pool.for_each(e.z * e.y, [&](std::int64_t row) {
    context.stop.check();
    const std::int64_t z = row / e.y, y = row % e.y;
    const Box3 positions{{z - before_.z, y - before_.y, -before_.x}, {1, 1, e.x}};
    copy_positions(whole_window(image), boundary_of(how.outside), positions, how.fill,
                   HostView3<double>{to.row(z, y), positions.size});
  });
}

LookupAxis LookedUp::z() const {
  const Extent3& e = voxels_.extent();
  return {outside_, e.z, before_.z, e.y * e.x};
}
LookupAxis LookedUp::y() const {
  return {outside_, voxels_.extent().y, before_.y, voxels_.extent().x};
}
LookupAxis LookedUp::x() const {
  return {outside_, voxels_.extent().x, before_.x, 1};
}

void require_look_up(const SplineLookup& how, const Extent3& image, const Extent3& to) {
  if (how.order < 0 || how.order > 5)
    throw InvalidSpec(
        fmt::format("look up by a spline of order {}; use an order from 0 to 5", how.order));
  if (!is_positive(image) || !is_positive(to) || (how.kept.z && image.z != to.z) ||
      (how.kept.y && image.y != to.y) || (how.kept.x && image.x != to.x))
    throw InvalidSpec(
        fmt::format("look up voxels of an image of {} for a result of {}: both need voxels, and "
                    "the same number along axes that are kept",
                    image, to));
}

void store_looked_up(const SplineLookup& how, const double* results, const Index3& first,
                     std::int64_t count, const VoxelView& to) {
  const VoxelView row = part_of_row(to, first.z, first.y, first.x, count);
  visit_pixel_type(to.type(), [&](auto zero) {
    store_row(how.level, results, count, how.storing, row.as<decltype(zero)>().data());
  });
}

}  // namespace synthoscope::kernels
