// SPDX-License-Identifier: MIT
// kernels/device/bricks/device_bricks.hpp — plans bricks that are made on a device, and carries
// them out.
#pragma once
#include <span>
#include "core/base/round_up.hpp"
#include "core/cuda/runtime/device.hpp"
#include "core/run/run_context.hpp"
#include "kernels/operation/bricks.hpp"

namespace synthoscope::kernels::device {

/// The largest brick. Bricks travel while others are computed: larger ones fill the link no better,
/// and the run waits for the first and the last one.
inline constexpr std::int64_t kLargestBrickBytes = std::int64_t{64} << 20;

/// Slots of windows and of results begin at multiples of this, in bytes.
inline constexpr std::int64_t kSlotAlignment = 256;
inline std::int64_t slot_bytes(std::int64_t bytes) {
  return round_up(bytes, kSlotAlignment);
}

/// Memory of a plan, in bytes: kBatches windows with what travels with them, and as many results,
/// are in flight.
struct DeviceBrickBytes {
  std::int64_t device = 0, host = 0;
};
DeviceBrickBytes device_bytes(const BrickPlan& plan);

/// Memory of a device and of the host that a plan may use.
struct DeviceBrickMemory {
  std::int64_t device = 0;
  BrickMemory host;
};

/// Returns best_bricks for a device; its working bytes are memory of the device.
/// @param operation  has on_device().
BrickPlan best_bricks_on_device(Operation& operation, const Extent3& image,
                                std::int64_t image_voxel_bytes, BoxOrder order,
                                const DeviceBrickMemory& memory,
                                std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// Returns cut_into for a device.
BrickPlan cut_on_device(Operation& operation, std::int64_t image_voxel_bytes, const Extent3& brick);

/// Returns why kernels cannot count the voxels that are held for such bricks, and a remedy; empty
/// if they can.
std::string why_not_counted(const Operation& operation, const BrickPlan& plan);

/// Returns best_bricks_on_device that fit.
/// @throws PlanError  not even the smallest bricks fit into the free memory of the host; names the
///                    smallest budget that would do.
/// @throws OutOfDeviceMemory  the same for the memory of the device.
/// @throws CudaError  why_not_counted.
BrickPlan plan_bricks_on_device(Operation& operation, const Extent3& image, PixelType image_type,
                                BoxOrder order, const DeviceBrickMemory& memory,
                                std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// Does run_bricks on a device: windows are read into pinned memory and sent in their own type, and
/// results return in theirs. Reading, transfers both ways, computing and writing overlap. A brick
/// is a step of the checkpoint; without a checkpoint, a device that has less memory than its budget
/// gets smaller bricks, after a warning: results are the same.
/// @param device_memory  the device's own budget
/// @throws PlanError    a budget is too small for device_bytes(plan).
/// @throws OutOfDeviceMemory, CudaError
/// @throws Interrupted  context.stop was set.
/// @throws what source, operation and sinks throw.
void run_bricks_on_device(const BrickPlan& plan, Operation& operation, Source& source,
                          std::span<Sink* const> sinks, const cuda::DeviceInfo& device,
                          MemoryBudget& device_memory, const RunContext& context);

}  // namespace synthoscope::kernels::device
