// SPDX-License-Identifier: MIT
#include "fftconv/device/device_layout.hpp"
#include <algorithm>

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kPitch = 16;
constexpr std::int64_t kBatchBytes = std::int64_t{64} << 20;

std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Voxels of an axis of the image from the first that is read to the last.
std::int64_t read_of(const AxisGeometry& axis) {
  return axis.boundary == Boundary::wrap ? axis.image : std::min(axis.image, axis.loaded);
}

}  // namespace

BlockLimits block_limits(const cuda::DeviceInfo& device) {
  return {device.shared_bytes, 1024, device.registers_per_multiprocessor};
}

DeviceLayout make_device_layout(const Layout& layout, std::int64_t load_voxel_bytes,
                                const BlockLimits& limits) {
  DeviceLayout d;
  d.rows = row_shape(layout.half, limits);
  d.columns_y = column_shape(layout.transform.y, limits);
  d.columns_z = column_shape(layout.transform.z, limits);
  d.pitch = round_up(layout.half, kPitch);
  d.plane_values = d.pitch * layout.transform.y;
  d.ring_planes = layout.ring_planes;
  d.result_planes = layout.result_planes;
  d.transfer_planes = layout.direct_z ? layout.kernel_planes : layout.transform.z;
  d.load_bytes = std::max(read_of(layout.y) * read_of(layout.x),
                          layout.y.kernel_count * layout.x.kernel_count) *
                 load_voxel_bytes;
  d.store_voxels = layout.y.wanted * layout.x.wanted;
  const std::int64_t largest = std::max(d.load_bytes, d.store_voxels * std::int64_t{4});
  const std::int64_t planes = std::max({layout.z.loaded, layout.z.kernel_count, layout.z.wanted});
  d.batch_planes = std::clamp<std::int64_t>(kBatchBytes / largest, 1, planes);
  return d;
}

}  // namespace synthoscope::fftconv::device
