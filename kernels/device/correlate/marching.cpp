// SPDX-License-Identifier: MIT
#include "kernels/device/correlate/marching.hpp"
#include <algorithm>
#include "core/base/round_up.hpp"

namespace synthoscope::kernels::device {

std::string_view cuda_name(March axis) {
  return axis == March::along_y ? "March::along_y" : "March::along_z";
}

cuda::LaunchShape MarchingKernel::part(MarchArguments& a) const {
  const bool along_y = shape_.axis == March::along_y;
  const std::int64_t along = along_y ? a.out.rows : a.out.planes,
                     across = along_y ? a.out.planes : a.out.rows,
                     groups = parts_of<std::int64_t>(a.out.columns, 32 * shape_.columns);
  const auto places = [&](std::int64_t strip) {
    return (shape_.alone ? shape_.warps : 1) * (strip + shape_.reach - 1) *
           std::int64_t{sizeof(int)};
  };
  Sliding sliding;
  sliding.results = along;
  sliding.reach = shape_.reach;
  const std::int64_t blocks =
      std::max(1, kernel_.blocks_at_once(32 * shape_.warps, places(sliding.most))) *
      std::int64_t{device_.multiprocessors};
  // Neighbours share cache lines
  while (shape_.alone && 2 * a.side <= std::min<std::int64_t>(shape_.warps, groups)) a.side *= 2;
  sliding.at_once = shape_.alone ? blocks * shape_.warps : blocks;
  sliding.beside = shape_.alone ? parts_of<std::int64_t>(groups, a.side) * a.side * across
                                : groups * parts_of<std::int64_t>(across, shape_.warps);
  const std::int64_t strip = strip_of(sliding);
  a.strip = static_cast<int>(strip);
  a.strips = static_cast<int>(parts_of<std::int64_t>(along, strip));
  const std::int64_t rows = shape_.alone
                                ? parts_of<std::int64_t>(across * a.strips, shape_.warps / a.side)
                                : parts_of<std::int64_t>(across, shape_.warps) * a.strips;
  return {{rows, parts_of<std::int64_t>(groups, a.side)}, {32, shape_.warps}, places(strip)};
}

}  // namespace synthoscope::kernels::device
