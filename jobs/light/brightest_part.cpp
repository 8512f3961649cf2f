// SPDX-License-Identifier: MIT
#include "jobs/light/brightest_part.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>
#include "core/run/host_buffer.hpp"

namespace synthoscope::jobs {
namespace {

/// Returns where parts of `size` begin on an axis, so that they cover it.
std::vector<std::int64_t> origins(std::int64_t whole, std::int64_t size) {
  const std::int64_t count = (whole + size - 1) / size;
  std::vector<std::int64_t> at(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    at[static_cast<std::size_t>(i)] = count == 1 ? 0 : i * (whole - size) / (count - 1);
  return at;
}

double light_in(Source& image, const Box3& box, const RunContext& context) {
  std::vector<double> of_planes(static_cast<std::size_t>(box.size.z));
  context.pool.for_each(box.size.z, [&](std::int64_t z) {
    context.stop.check();
    const Extent3 one{1, box.size.y, box.size.x};
    const HostBuffer<float> voxels{context.memory, volume(one), "a plane to measure"};
    image.read({{box.origin.z + z, box.origin.y, box.origin.x}, one},
               HostView3<float>{voxels.data(), one});
    of_planes[static_cast<std::size_t>(z)] =
        std::accumulate(voxels.data(), voxels.data() + voxels.count(), 0.0);
  });
  return std::accumulate(of_planes.begin(), of_planes.end(), 0.0);
}

}  // namespace

Extent3 part_extent(const Extent3& whole, std::int64_t voxels, std::int64_t planes) {
  const std::int64_t z = std::min(whole.z, planes);
  const std::int64_t in_plane = std::max<std::int64_t>(voxels / z, 1);
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(in_plane)));
  // Where one axis is short, the other may be longer
  const std::int64_t y = std::min(whole.y, std::max(side, in_plane / whole.x));
  return {z, y, std::min(whole.x, in_plane / y)};
}

Box3 brightest_part(Source& image, const Extent3& extent, const RunContext& context) {
  const Extent3 whole = image.extent();
  Box3 best{{0, 0, 0}, extent};
  if (extent == whole) return best;
  double most = -1;
  for (const std::int64_t z : origins(whole.z, extent.z))
    for (const std::int64_t y : origins(whole.y, extent.y))
      for (const std::int64_t x : origins(whole.x, extent.x)) {
        const Box3 box{{z, y, x}, extent};
        const double light = light_in(image, box, context);
        if (light <= most) continue;
        most = light;
        best = box;
      }
  return best;
}

}  // namespace synthoscope::jobs
