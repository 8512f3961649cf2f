// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/run_memory.hpp"
#include <utility>
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/sums.hpp"

namespace synthoscope::fftconv {

RunMemory host_run_memory(const Problem& work, const Layout& layout) {
  return {memory_of(layout, work), {}};
}

RunMemory gpu_run_memory(const Problem& work, const Layout& layout,
                         const device::DeviceLayout& sizes) {
  // Planes are written from pinned memory; rows of a flat image wait until it is whole
  const bool is_flat = work.image.y == 1 && work.kernel.y == 1;
  const std::int64_t waiting = is_flat ? layout.z.wanted : 0;
  RunMemory memory{pinned_memory_of(sizes), device_memory_of(sizes)};
  if (work.gpu_stream_bytes > 0) {  // laid out on the host, and sent
    memory.host.push_back({"what sources and epilogues send", work.gpu_stream_bytes});
    memory.device.push_back({"what sources and epilogues keep", work.gpu_stream_bytes});
  }
  for (MemoryItem& item : common_memory(layout, work, waiting))
    memory.host.push_back(std::move(item));
  return memory;
}

RunMemory gpu_parts_memory(const Problem& work, const Layout& layout,
                           const device::PartsLayout& parts) {
  RunMemory memory{pinned_memory_of(parts), device_memory_of(parts)};
  if (!parts.device_folds && !layout.parts_on_disk)
    memory.host.push_back({"parts", kept_parts_voxels(layout) * layout.real_bytes});
  for (MemoryItem& item : common_memory(layout, work, 0)) memory.host.push_back(std::move(item));
  memory.host.push_back({std::string{kThreadScratch}, thread_bytes_of(parts)});
  return memory;
}

RunMemory run_memory_of(const Plan& plan) {
  if (is_by_sums(plan.strategy))
    return plan.where == Place::gpu
               ? device::gpu_sums_memory(plan.problem, plan.strategy, plan.cut.result)
               : RunMemory{sums_memory(plan.problem, plan.strategy, plan.cut.result), {}};
  const Layout layout = make_layout(plan.work, plan.transform, plan.cut);
  if (plan.where == Place::host) return host_run_memory(plan.work, layout);
  if (plan.cut.parts > 0)
    return gpu_parts_memory(plan.work, layout, device::parts_sizes_of(plan.work, layout, plan.cut));
  return gpu_run_memory(plan.work, layout, device::sizes_of(plan.work, layout, plan.cut));
}

}  // namespace synthoscope::fftconv
