// SPDX-License-Identifier: MIT
#include "fftconv/device/made_for.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {
namespace {

void require_room(std::string_view what, std::int64_t bytes, std::int64_t room) {
  if (bytes > room)
    throw PlanError(
        fmt::format("run the plan on the GPU: its buffers hold voxels of {} bytes, but voxels of "
                    "the {} have {}; make the plan again",
                    room, what, bytes));
}

}  // namespace

void require_made_for(const Plan& plan, const cuda::DeviceInfo& device, std::span<const Term> terms,
                      const Sink& sink) {
  if (plan.where != Place::gpu)
    throw PlanError("run the plan on the GPU: it was made for the host; make the plan again");
  const Gpu& gpu = *plan.machine.gpu;
  if (gpu.capability != device.capability || !(gpu.limits == block_limits(device)))
    throw CudaError(
        fmt::format("run the plan on the GPU: it was made for {} (sm_{}), this is {} (sm_{}); make "
                    "the plan again",
                    gpu.name, gpu.capability, device.name, device.capability));
  const Problem& p = plan.problem;
  for (const Term& term : terms) {
    require_room("image", size_of(term.image->pixel_type()), p.source_voxel_bytes);
    require_room("kernel", size_of(term.kernel.voxels->pixel_type()), p.kernel_voxel_bytes);
  }
  require_room("result", size_of(sink.pixel_type()), p.sink_voxel_bytes);
}

}  // namespace synthoscope::fftconv::device
