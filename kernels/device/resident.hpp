// SPDX-License-Identifier: MIT
// kernels/device/resident.hpp — an operation on an image that lies on a device, where it lies.
#pragma once
#include <span>
#include "core/cuda/runtime/device.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "kernels/operation.hpp"

namespace synthoscope::kernels::device {

/// Makes all results of `operation`, which has on_device(); nothing travels, nothing is copied.
/// Where its working memory has no room for all at once, planes are made some at a time: the voxels
/// are the same. Waits until they are there.
/// @param image    memory of the device, in z, y, x order without gaps; so are the results
/// @param results  one of its extent and type for each
/// @param memory   the device's own budget, for the working memory
/// @throws PlanError    not even a plane has room.  @throws OutOfDeviceMemory
/// @throws CudaError    planes of more voxels than kernels count, or a failure of the device.
/// @throws Interrupted  `stop` was set.
void run_resident(Operation& operation, const cuda::DeviceInfo& device, const ConstVoxelView& image,
                  std::span<const VoxelView> results, MemoryBudget& memory, TaskPool& pool,
                  const StopFlag& stop);

}  // namespace synthoscope::kernels::device
