// SPDX-License-Identifier: MIT
#include "kernels/resample_nearest.hpp"
#include "kernels/body/interpolation.hpp"
#include "kernels/resample_rows.hpp"
#include "kernels/vector_level.hpp"

namespace synthoscope::kernels {
namespace {

/// Where voxels stand in what is held.
void find_inside(const Window& window, const CoordinateRow& at, int count, std::int64_t* found) {
  const Index3 origin = window.box.origin;
  const auto z0 = static_cast<double>(origin.z), y0 = static_cast<double>(origin.y),
             x0 = static_cast<double>(origin.x);
  const auto rows = static_cast<double>(window.box.size.y);
  const auto pitch = static_cast<double>(window.voxels.pitch());
  double element[kResampleRow];  // whole numbers below 2^53
  vectorised(vector_level(), [=, &element]() SYNTHOSCOPE_INLINE {
    for (int i = 0; i < count; ++i) {
      const double z = whole_below(at.z[i] + 0.5) - z0, y = whole_below(at.y[i] + 0.5) - y0,
                   x = whole_below(at.x[i] + 0.5) - x0;
      element[i] = (z * rows + y) * pitch + x;
    }
  });
  for (int i = 0; i < count; ++i) found[i] = static_cast<std::int64_t>(element[i]);
}

void find_anywhere(const Window& window, Outside outside, const CoordinateRow& at, int count,
                   std::int64_t* found) {
  const auto& [image, box, voxels] = window;
  const auto axis = [&](double c, std::int64_t n, std::int64_t origin, std::int64_t size) {
    const std::int64_t i = nearest_voxel(outside, c, n);
    return i == kOutside ? kOutside : held_index(boundary_of(outside), i, n, origin, size);
  };
  for (int i = 0; i < count; ++i) {
    const std::int64_t z = axis(at.z[i], image.z, box.origin.z, box.size.z);
    const std::int64_t y = axis(at.y[i], image.y, box.origin.y, box.size.y);
    const std::int64_t x = axis(at.x[i], image.x, box.origin.x, box.size.x);
    const bool is_outside = z == kOutside || y == kOutside || x == kOutside;
    found[i] = is_outside ? kOutside : (z * box.size.y + y) * voxels.pitch() + x;
  }
}

}  // namespace

void find_nearest_row(const Window& window, Outside outside, bool is_inside,
                      const CoordinateRow& at, int count, std::int64_t* found) {
  if (is_inside)
    find_inside(window, at, count, found);
  else
    find_anywhere(window, outside, at, count, found);
}

}  // namespace synthoscope::kernels
