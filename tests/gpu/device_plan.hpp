// SPDX-License-Identifier: MIT
// tests/gpu/device_plan.hpp — plans of the host, cut alike, for a device.
#pragma once
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"

namespace synthoscope::test {

inline constexpr std::int64_t kDeviceBytes = std::int64_t{4} << 30;
inline const fftconv::Machine kLarge{std::int64_t{8} << 30};

inline fftconv::Plan moved(fftconv::Plan plan, const cuda::DeviceInfo& device,
                           std::int64_t batch_planes = 3) {
  plan.where = fftconv::Place::gpu;
  plan.machine.gpu = fftconv::Gpu{device.name, device.capability,
                                  fftconv::device::block_limits(device), kDeviceBytes};
  plan.cut.batch_planes = batch_planes;
  plan.cut.keep_transfer = false;
  const fftconv::RunMemory memory = run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

/// How many parts, where they lie, and who folds.
struct Parts {
  std::int64_t number = 1;
  bool along_y = false, on_disk = false, device_folds = false;
};

/// Of the host.
inline fftconv::Plan plan_in_parts(const fftconv::Problem& problem, const Parts& parts) {
  using namespace fftconv;
  Plan plan = plan_convolution(problem, kLarge, Strategy::parts, parts.number);
  for (const Candidate& c : parts_candidates(work_problem(problem), HostSite{}, parts.number))
    if (c.cut.along_y == parts.along_y && c.cut.parts_on_disk == parts.on_disk) {
      plan.transform = c.transform;
      plan.cut = c.cut;
    }
  plan.work = work_problem(problem, plan.cut);
  plan.memory = run_memory_of(plan).host;
  return plan;
}

/// The same for the device.
inline fftconv::Plan plan_in_parts(const fftconv::Problem& problem, const Parts& parts,
                                   const cuda::DeviceInfo& device) {
  fftconv::Plan plan = plan_in_parts(problem, parts);
  plan.cut.fold_on_device = parts.device_folds;
  return moved(std::move(plan), device);
}

}  // namespace synthoscope::test
