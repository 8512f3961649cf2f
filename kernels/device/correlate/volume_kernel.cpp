// SPDX-License-Identifier: MIT
#include "kernels/device/correlate/volume_kernel.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/code/strips.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr int kMaxPlanes = 512;  ///< of a strip

VolumeShape shape_for(const Extent3& weights, const VolumeChoice& choice) {
  return {static_cast<int>(weights.y), static_cast<int>(weights.x), choice.tall, choice.warps};
}

}  // namespace

VolumeChoice VolumeKernel::choice_for(const Extent3& weights) {
  const std::int64_t most = std::max({weights.z, weights.y, weights.x});
  if (most <= 9) return {4, 8, most <= 5 ? 4 : 3};
  return {4, 16, 1};
}

bool VolumeKernel::has_room_for(const Extent3& weights, const cuda::DeviceInfo& device) {
  return std::max({weights.z, weights.y, weights.x}) <= VolumeWeights::kMax &&
         shape_for(weights, choice_for(weights)).shared_bytes(kMaxPlanes + VolumeWeights::kMax) <=
             device.shared_bytes;
}

cuda::KernelName VolumeKernel::name_of(const std::string& types, const Extent3& weights,
                                       const VolumeChoice& choice) {
  return {"correlate/volume.cuh",
          fmt::format("correlate_volume<{}, {}, {}, {}, {}, {}, {}>", types, weights.z, weights.y,
                      weights.x, choice.tall, choice.warps, choice.blocks)};
}

VolumeKernel::VolumeKernel(const cuda::DeviceInfo& device, const std::string& types,
                           const Extent3& weights, const VolumeChoice& choice)
    : reach_z_{static_cast<int>(weights.z)},
      shape_{shape_for(weights, choice)},
      device_{device},
      kernel_{device_library().kernel(device, name_of(types, weights, choice))} {
  kernel_.allow_shared(shape_.shared_bytes(kMaxPlanes + reach_z_));
}

void VolumeKernel::launch(const cuda::Stream& stream, MarchArguments a,
                          const VolumeWeights& weights) const {
  const std::int64_t groups = parts_of<std::int64_t>(a.out.columns, kVolumeWidth),
                     tiles = parts_of<std::int64_t>(a.out.rows, shape_.rows_out());
  const std::int64_t blocks = std::max(
      1, kernel_.blocks_at_once(32 * shape_.warps, shape_.shared_bytes(kMaxPlanes + reach_z_)));
  const std::int64_t strip = strip_of({.results = a.out.planes,
                                       .beside = groups * tiles,
                                       .at_once = blocks * device_.multiprocessors,
                                       .reach = reach_z_,
                                       .most = kMaxPlanes});
  a.strip = static_cast<int>(strip);
  a.strips = static_cast<int>(parts_of<std::int64_t>(a.out.planes, strip));
  kernel_.launch(
      stream,
      {{tiles * a.strips, groups}, {32, shape_.warps}, shape_.shared_bytes(a.strip + reach_z_ - 1)},
      a, weights);
}

}  // namespace synthoscope::kernels::device
