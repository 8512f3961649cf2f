// SPDX-License-Identifier: MIT
#include "kernels/splines/prefilter.hpp"
#include <algorithm>
#include <vector>

namespace synthoscope::kernels {
namespace {

/// The parts of a plane that are fitted in a core's cache.
constexpr std::int64_t kPartRows = 128, kPartColumns = 256;
constexpr std::int64_t kPartScratch =
    (kPartRows + 2 * kSplineReach) * (kPartColumns + 2 * kSplineReach);

std::int64_t column_width(std::int64_t planes) {
  return planes <= 512 ? 64 : 16;
}

/// Returns the elements of each of the two buffers of a thread: a stage reads one and writes the
/// other.
std::int64_t scratch_size(std::int64_t planes) {
  const std::int64_t column = planes + 2 * kSplineReach;
  return std::max(kPartScratch, column * column_width(planes));
}

/// Fits `count` elements in `from` along an axis whose voxels are `stride` elements apart. Each
/// stage moves its results to the front by its reach, so that element 0 is finally the voxel
/// kSplineReach after the first. If rows are shorter than their pitch, the elements between them
/// are fitted as well.
/// @returns how many elements are left.
std::int64_t fit_axis(VectorLevel level, float*& from, float*& to, std::int64_t count,
                      std::int64_t stride) {
  for (int number = 0; number < kSplineSteps; ++number) {
    const SplineStep fit = spline_step(number);
    const std::int64_t step = fit.apart * stride;
    count -= 2 * step;
    vectorised(level, [=, in = from, out = to]() SYNTHOSCOPE_INLINE {
      const float* __restrict const f = in;
      float* __restrict const c = out;
      for (std::int64_t i = 0; i < count; ++i) c[i] = fit.sum(f[i], f[i + step], f[i + 2 * step]);
    });
    std::swap(from, to);
  }
  return count;
}

/// One fit of a box.
struct SplineFit {
  const Window& window;
  Boundary boundary;
  SplineAxes axes;
  Box3 positions, kept;
  float fill;
  HostView3<float> voxels;  ///< of `kept`
  VectorLevel level;

  /// Returns the index of the kept plane at `z`.
  [[nodiscard]] std::int64_t kept_plane(std::int64_t z) const {
    return held_index(boundary, z, window.image.z, kept.origin.z, kept.size.z);
  }

  /// Fits a part of a plane along x and, if the spline runs along y, along y.
  void fit_part(const Box3& part, float* from, float* next) const {
    const std::int64_t reach = axes.y ? kSplineReach : 0;
    const Box3 about{{part.origin.z, part.origin.y - reach, part.origin.x - kSplineReach},
                     {1, part.size.y + 2 * reach, part.size.x + 2 * kSplineReach}};
    copy_positions(window, boundary, about, fill, HostView3<float>{from, about.size});
    const std::int64_t pitch = about.size.x;
    const std::int64_t count = fit_axis(level, from, next, about.size.y * pitch, 1);
    if (axes.y) fit_axis(level, from, next, count, pitch);
    const std::int64_t z = kept_plane(part.origin.z);
    for (std::int64_t y = 0; y < part.size.y; ++y)
      std::copy_n(from + y * pitch, part.size.x,
                  voxels.row(z, part.origin.y - positions.origin.y + y) + part.origin.x -
                      positions.origin.x);
  }

  /// Fits `width` neighbouring columns along z in place.
  void fit_columns(std::int64_t y, std::int64_t x, std::int64_t width, float* from,
                   float* next) const {
    const std::int64_t count = positions.size.z + 2 * kSplineReach;
    for (std::int64_t z = 0; z < count; ++z) {
      const std::int64_t plane =
          mapped_index(boundary, positions.origin.z + z - kSplineReach, window.image.z);
      if (plane == kOutside)
        std::fill_n(from + z * width, width, fill);
      else
        std::copy_n(voxels.row(kept_plane(plane), y) + x, width, from + z * width);
    }
    fit_axis(level, from, next, count * width, width);
    for (std::int64_t z = 0; z < positions.size.z; ++z)
      std::copy_n(from + z * width, width, voxels.row(kept_plane(positions.origin.z + z), y) + x);
  }
};

}  // namespace

Box3 spline_positions(const SplineAxes& axes, const Box3& positions) {
  const std::int64_t z = axes.z ? kSplineReach : 0, y = axes.y ? kSplineReach : 0;
  return {
      {positions.origin.z - z, positions.origin.y - y, positions.origin.x - kSplineReach},
      {positions.size.z + 2 * z, positions.size.y + 2 * y, positions.size.x + 2 * kSplineReach}};
}

Box3 spline_kept(Boundary boundary, const SplineAxes& axes, const Box3& positions,
                 const Extent3& image) {
  Box3 kept = positions;
  if (!axes.z) return kept;
  const Box3 held = held_box(boundary, spline_positions(axes, positions), image);
  std::int64_t first = held.origin.z, last = first + held.size.z;
  if (boundary != Boundary::wrap) {
    first = std::min(first, positions.origin.z);
    last = std::max(last, positions.origin.z + positions.size.z);
  }
  kept.origin.z = first;
  kept.size.z = last - first;
  return kept;
}

std::int64_t spline_working_bytes(std::int64_t planes, int threads) {
  return 2 * scratch_size(planes) * std::int64_t{sizeof(float)} * threads;
}

void fit_spline(const Window& window, Boundary boundary, const SplineAxes& axes,
                const Box3& positions, float fill, HostView3<float> kept, VectorLevel level,
                TaskPool& pool) {
  const SplineFit fit{
      window, boundary, axes, positions, spline_kept(boundary, axes, positions, window.image),
      fill,   kept,     level};
  SYNTHOSCOPE_ASSERT(kept.extent(), ==, fit.kept.size);
  const std::int64_t each = scratch_size(positions.size.z);
  std::vector<float> scratch(static_cast<std::size_t>(2 * each * pool.threads()));
  const auto mine = [&] { return scratch.data() + 2 * each * TaskPool::slot(); };

  // Fit planes as they are read: those of the image that count for the columns
  const Box3 read =
      axes.z ? held_box(boundary, spline_positions(axes, positions), window.image) : positions;
  const std::int64_t rows = (positions.size.y + kPartRows - 1) / kPartRows;
  const std::int64_t columns = (positions.size.x + kPartColumns - 1) / kPartColumns;
  pool.for_each(read.size.z * rows * columns, [&](std::int64_t task) {
    const std::int64_t y = task / columns % rows * kPartRows, x = task % columns * kPartColumns;
    fit.fit_part(
        {{read.origin.z + task / columns / rows, positions.origin.y + y, positions.origin.x + x},
         {1, std::min(kPartRows, positions.size.y - y),
          std::min(kPartColumns, positions.size.x - x)}},
        mine(), mine() + each);
  });
  if (!axes.z) return;

  const std::int64_t width = column_width(positions.size.z);
  const std::int64_t strips = (positions.size.x + width - 1) / width;
  pool.for_each(positions.size.y * strips, [&](std::int64_t task) {
    const std::int64_t x = task % strips * width;
    fit.fit_columns(task / strips, x, std::min(width, positions.size.x - x), mine(), mine() + each);
  });
}

}  // namespace synthoscope::kernels
