// SPDX-License-Identifier: MIT
#include "fit/objects/blur_field.hpp"
#include <utility>
#include "core/stream/memory_stream.hpp"
#include "kernels/filters/filter.hpp"
#include "kernels/filters/named_filters.hpp"
#include "simulator/measurement/filtered.hpp"

namespace synthoscope::fit {

void blur_field(std::vector<float>& field, const Extent3& extent,
                const std::array<double, 3>& sigmas, const RunContext& context) {
  constexpr double truncate = 3, least = 0.2;
  std::array<double, 3> used = sigmas;
  const std::array<std::int64_t, 3> size{extent.z, extent.y, extent.x};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (size[axis] == 1 || used[axis] < least) used[axis] = 0;
  Volume<float> image;
  image.extent = extent;
  image.voxels = std::move(field);
  const auto filter =
      kernels::make_filter({extent, Boundary::nearest}, kernels::gaussian(used, truncate));
  field = simulator::filtered(image, *filter.operation, context).voxels;
}

}  // namespace synthoscope::fit
