// SPDX-License-Identifier: MIT
// kernels/device/bricks/resident.hpp — runs an operation on an image that is already on a device.
#pragma once
#include <span>
#include "core/cuda/runtime/device.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "kernels/operation/operation.hpp"

namespace synthoscope::kernels::device {

/// Makes all results of `operation`, which has on_device(), without transfers or copies. If there
/// is too little working memory for all planes at once, it makes some at a time: the voxels are the
/// same. Voxels that storing changed are not counted. Returns when the results are complete.
/// @param image    memory of the device, in z, y, x order without gaps; so are the results
/// @param results  one for each, of its extent and type
/// @param memory   the device's own budget, for the working memory
/// @throws PlanError    not even one plane fits.
/// @throws OutOfDeviceMemory
/// @throws CudaError    planes of more voxels than kernels count, or a failure of the device.
/// @throws Interrupted  `stop` was set.
void run_resident(Operation& operation, const cuda::DeviceInfo& device, const ConstVoxelView& image,
                  std::span<const VoxelView> results, MemoryBudget& memory, TaskPool& pool,
                  const StopFlag& stop);

}  // namespace synthoscope::kernels::device
