// SPDX-License-Identifier: MIT
// kernels/device/device_bricks.hpp — plans bricks that are made on a device, and carries them out.
#pragma once
#include <span>
#include "core/base/round_up.hpp"
#include "core/cuda/runtime/device.hpp"
#include "core/run/run_context.hpp"
#include "kernels/bricks.hpp"

namespace synthoscope::kernels::device {

/// Bricks travel while others are computed: larger ones fill the link no better, and the first and
/// the last are waited for.
inline constexpr std::int64_t kLargestBrickBytes = std::int64_t{64} << 20;

/// Slots of windows and of results begin at multiples of so many bytes.
inline constexpr std::int64_t kSlotAlignment = 256;
inline std::int64_t slot_bytes(std::int64_t bytes) {
  return round_up(bytes, kSlotAlignment);
}

/// What a plan takes: kBatches windows with what travels beside them, and as many results, are
/// under way.
struct DeviceBrickBytes {
  std::int64_t device = 0, host = 0;
};
DeviceBrickBytes device_bytes(const BrickPlan& plan);

/// Memory of a device that a plan may take, and of the host's.
struct DeviceBrickMemory {
  std::int64_t device = 0;
  BrickMemory host;
};

/// best_bricks for a device; its working bytes are those of the device.
/// @param operation  has on_device().
BrickPlan best_bricks_on_device(Operation& operation, const Extent3& image,
                                std::int64_t image_voxel_bytes, BoxOrder order,
                                const DeviceBrickMemory& memory,
                                std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// cut_into for a device.
BrickPlan cut_on_device(Operation& operation, std::int64_t image_voxel_bytes, const Extent3& brick);

/// Why kernels cannot count the voxels that are held for such bricks, and what to do; empty where
/// they can.
std::string why_not_counted(const Operation& operation, const BrickPlan& plan);

/// best_bricks_on_device that fit.
/// @throws PlanError  not even the smallest bricks fit into what is there of the host's memory;
///                    names the least budget that would do.
/// @throws OutOfDeviceMemory  so, of the device's.  @throws CudaError  why_not_counted.
BrickPlan plan_bricks_on_device(Operation& operation, const Extent3& image, PixelType image_type,
                                BoxOrder order, const DeviceBrickMemory& memory,
                                std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// run_bricks by way of a device: windows are read into pinned memory and travel as they are,
/// results come back in their own types; reading, both ways of the link, computing and writing are
/// done at the same time. A brick is a step of the checkpoint; where there is none, a device that
/// has less memory than its budget gets smaller bricks, after a warning: results are the same.
/// @param device_memory  the device's own budget
/// @throws PlanError    a budget has no room for device_bytes(plan).
/// @throws OutOfDeviceMemory, CudaError
/// @throws Interrupted  context.stop was set.
/// @throws what source, operation and sinks throw.
void run_bricks_on_device(const BrickPlan& plan, Operation& operation, Source& source,
                          std::span<Sink* const> sinks, const cuda::DeviceInfo& device,
                          MemoryBudget& device_memory, const RunContext& context);

}  // namespace synthoscope::kernels::device
