// SPDX-License-Identifier: MIT
#include "kernels/coordinates/resampling_grid.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace synthoscope::kernels {
namespace {

std::int64_t voxels_along(std::int64_t n, double step) {
  constexpr double kMax = 0x1p40;
  const double wanted = static_cast<double>(n) / step;
  if (!(wanted <= kMax))
    throw InvalidSpec(fmt::format(
        "resample: an axis of {} voxels would become one of {:.3g}; use a larger voxel, or a "
        "smaller scale",
        n, wanted));
  return std::max<std::int64_t>(1, std::llround(wanted));
}

void require_size(double size, const char* what) {
  if (!(size > 0) || !std::isfinite(size))
    throw InvalidSpec(fmt::format("resample: {} of {} gives no grid; use one above 0", what, size));
}

/// Returns a grid with `step` voxels of the image for each voxel of the result.
ResamplingGrid stepped(const Extent3& image, const VoxelSize& pitch, const Coordinate3& step) {
  return {
      resizing(step),
      {voxels_along(image.z, step.z), voxels_along(image.y, step.y), voxels_along(image.x, step.x)},
      {pitch.z_um * step.z, pitch.y_um * step.y, pitch.x_um * step.x}};
}

}  // namespace

ResamplingGrid enlarged(const Extent3& image, const VoxelSize& pitch, const Coordinate3& factor) {
  for (const double f : {factor.z, factor.y, factor.x}) require_size(f, "a scale");
  return stepped(image, pitch, {1 / factor.z, 1 / factor.y, 1 / factor.x});
}

ResamplingGrid respaced(const Extent3& image, const VoxelSize& pitch, const VoxelSize& wanted) {
  for (const double size : {wanted.z_um, wanted.y_um, wanted.x_um})
    require_size(size, "a voxel size");
  ResamplingGrid grid = stepped(
      image, pitch, {wanted.z_um / pitch.z_um, wanted.y_um / pitch.y_um, wanted.x_um / pitch.x_um});
  grid.pitch = wanted;
  return grid;
}

ResamplingGrid turned(const Extent3& image, const VoxelSize& pitch, int axis, double degrees,
                      const Extent3& result) {
  return {rotation(axis, degrees, image, result, {pitch.z_um, pitch.y_um, pitch.x_um}), result,
          pitch};
}

ResamplingGrid by_matrix(const VoxelSize& pitch, const Affine& affine, const Extent3& result) {
  const std::array units{pitch.z_um, pitch.y_um, pitch.x_um};
  const auto step = [&](std::size_t axis) {
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i) squares += std::pow(affine.rows[i][axis] * units[i], 2);
    // An axis that does not move in the image has no length there
    return squares > 0 ? std::sqrt(squares) : units[axis];
  };
  return {affine, result, {step(0), step(1), step(2)}};
}

ResamplingGrid deskewed(const Extent3& image, const VoxelSize& pitch, double degrees) {
  if (!(std::fabs(degrees) < 90) || degrees == 0)
    throw InvalidSpec(
        fmt::format("deskew by {} degrees: the sheet's angle to the stage is between -90 and 90, "
                    "and not 0; give the angle of the instrument",
                    degrees));
  const double angle = degrees * std::numbers::pi / 180;
  const double rise = pitch.y_um * std::fabs(std::sin(angle));  // height of a row, and its lean
  const double lean = pitch.y_um * std::cos(angle) * (degrees < 0 ? -1 : 1);
  const double scanned = static_cast<double>(image.z - 1) * pitch.z_um;
  const double leant = static_cast<double>(image.y - 1) * lean;
  const double cube = pitch.x_um, first = std::min(0.0, leant);

  ResamplingGrid grid;
  grid.pitch = {cube, cube, cube};
  const auto span = [&](double length) {
    return voxels_along(1, 1 / (std::floor(length / cube + 1e-9) + 1));
  };
  grid.extent = {span(static_cast<double>(image.y - 1) * rise), span(scanned + std::fabs(leant)),
                 image.x};
  // k = (first + Y - Z lean / rise) / s, j = Z / rise
  grid.affine.rows = {
      {{-cube * lean / (rise * pitch.z_um), cube / pitch.z_um, 0, first / pitch.z_um},
       {cube / rise, 0, 0, 0},
       {0, 0, 1, 0}}};
  return grid;
}

}  // namespace synthoscope::kernels
