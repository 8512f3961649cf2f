// SPDX-License-Identifier: MIT
#include "fftconv/layout.hpp"
#include <algorithm>
#include <utility>

namespace synthoscope::fftconv {
namespace {

constexpr std::int64_t kSlabBytes = std::int64_t{8} << 20;

std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

}  // namespace

Problem work_problem(const Problem& problem) {
  Problem work = problem;
  if (problem.image.z == 1 && problem.kernel.z == 1) {
    std::swap(work.image.z, work.image.y);
    std::swap(work.kernel.z, work.kernel.y);
    std::swap(work.center.z, work.center.y);
  }
  return work;
}

Layout make_layout(const Problem& work, const Extent3& transform) {
  const auto axis = [&](std::int64_t image, std::int64_t kernel, std::int64_t center) {
    return axis_geometry(image, kernel, center, work.boundary, work.shape, work.correlate);
  };
  Layout l;
  l.z = axis(work.image.z, work.kernel.z, work.center.z);
  l.y = axis(work.image.y, work.kernel.y, work.center.y);
  l.x = axis(work.image.x, work.kernel.x, work.center.x);
  l.transform = transform;
  l.half = transform.x / 2;
  l.real_bytes = work.precision == Precision::float32 ? 4 : 8;
  l.row_reals = 2 * round_up(l.half, kLaneBytes / l.real_bytes);
  l.column_reals = transform.y * l.row_reals;
  const std::int64_t element = 2 * kLaneBytes / l.real_bytes;
  l.plane_reals = l.column_reals / element % 2 == 1 ? l.column_reals : l.column_reals + element;
  const bool shared = work.terms == 1;
  l.image_planes = shared ? std::max(l.z.loaded, l.z.wanted) : l.z.loaded;
  l.result_planes = shared ? 0 : l.z.wanted;
  l.kernel_planes = l.z.kernel_count;
  return l;
}

std::int64_t row_pitch(const Layout& l) {
  return 2 * l.half + 2 * kLaneBytes / l.real_bytes;
}

Slabs slabs_for(std::int64_t planes, std::int64_t rows, std::int64_t row_bytes) {
  constexpr std::int64_t kRowsTogether = 64;
  if (rows < kRowsTogether) return {std::min(planes, (kRowsTogether + rows - 1) / rows), rows};
  const std::int64_t fitting = kSlabBytes / std::max<std::int64_t>(row_bytes, 1);
  return {1, std::clamp<std::int64_t>(fitting / 16 * 16, 16, rows)};
}

ScratchSizes scratch_sizes(const Layout& l, const Problem& work) {
  const std::int64_t lanes = kLaneBytes / l.real_bytes;
  const auto slab_voxels = [](std::int64_t planes, std::int64_t rows, std::int64_t columns) {
    const Slabs s = slabs_for(planes, rows, columns * kLargestVoxel);
    return s.planes * s.rows * columns;
  };
  const std::int64_t out = slab_voxels(l.z.wanted, l.y.wanted, l.x.wanted);
  const std::int64_t in = std::max(slab_voxels(l.z.loaded, l.y.loaded, work.image.x),
                                   slab_voxels(l.z.kernel_count, l.y.kernel_count, work.kernel.x));
  const std::int64_t longest = std::max({l.half, l.transform.y, l.transform.z});
  return {std::max(in, out) * kLargestVoxel, out * l.real_bytes,
          lanes * row_pitch(l) * l.real_bytes, longest * 2 * kLaneBytes};
}

std::int64_t box_sum_entries(const Problem& work) {
  if (work.boundary != Boundary::zero) return 1;
  return volume({work.kernel.z + 1, work.kernel.y + 1, work.kernel.x + 1});
}

std::vector<MemoryItem> memory_of(const Layout& l, const Problem& work) {
  const std::int64_t plane_bytes = l.plane_reals * l.real_bytes;
  std::vector<MemoryItem> items{{"image spectra", l.image_planes * plane_bytes},
                                {"kernel spectra", l.kernel_planes * plane_bytes}};
  if (l.result_planes > 0) items.push_back({"result spectra", l.result_planes * plane_bytes});
  if (work.remove_mean)
    items.push_back(
        {"kernel box sums", box_sum_entries(work) * static_cast<std::int64_t>(sizeof(double))});
  items.push_back({"scratch of a thread", scratch_sizes(l, work).total()});
  return items;
}

}  // namespace synthoscope::fftconv
