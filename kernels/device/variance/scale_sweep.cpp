// SPDX-License-Identifier: MIT
#include "kernels/device/variance/scale_sweep.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/code/strips.hpp"

namespace synthoscope::kernels::device {

int scales_of(std::span<const LocalWindow> windows) {
  if (windows.size() > kMaxScales) return 0;
  double size = 1;
  for (const LocalWindow& window : windows) {
    size *= 2;
    if (window != LocalWindow{WindowShape::triangle, 1, size, size}) return 0;
  }
  return static_cast<int>(windows.size());
}

cuda::KernelName ScaleSweep::kernel(PixelType type) const {
  return {"variance/variance.cuh",
          fmt::format("sweep_scales<{}, {}, {}>", cuda_name(type), results_name(work_), scales_)};
}

void ScaleSweep::prepare(const cuda::DeviceInfo& device, PixelType type) {
  kernel_ = device_library().kernel(device, kernel(type));
  kernel_->allow_shared(sweep_shared_bytes(scales_));
  at_once_ =
      device.multiprocessors *
      std::max(1, kernel_->blocks_at_once(kSweepColumns * kSweepRows, sweep_shared_bytes(scales_)));
}

void ScaleSweep::enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                         const WorkResults& results) const {
  SweepArguments a;
  a.in = held_voxels(in);
  a.boundary = static_cast<int>(work_.spec.boundary);
  a.z = box.origin.z;
  a.y = box.origin.y;
  a.x = box.origin.x;
  a.planes = box.size.z;
  a.rows = box.size.y;
  a.columns = box.size.x;
  a.counts = results.counts;
  for (std::size_t scale = 0; scale < work_.spec.windows.size(); ++scale)
    a.windows[scale] = places_of(work_, scale, results);
  const std::int64_t made = kSweepColumns - 2 * sweep_reach(scales_);
  const std::int64_t strips = parts_of(box.size.x, made);
  a.band = strip_of({.results = box.size.y,
                     .beside = strips * box.size.z,
                     .at_once = at_once_,
                     .reach = 2 * sweep_reach(scales_) + 1,
                     .most = box.size.y});
  const std::int64_t bands = parts_of<std::int64_t>(box.size.y, a.band);
  kernel_->launch(
      stream,
      {{bands * box.size.z, strips}, {kSweepColumns, kSweepRows}, sweep_shared_bytes(scales_)}, a);
}

}  // namespace synthoscope::kernels::device
