// SPDX-License-Identifier: MIT
// core/cuda/memory/device_rates.hpp — how fast a device and its link to the host move bytes,
// measured.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/stop.hpp"

namespace synthoscope::cuda {

/// Bytes per second. `both` counts both directions, at once; `copy` what is read and written.
struct DeviceRates {
  double pinned_up = 0, pinned_down = 0, pinned_both = 0;
  double ordinary_up = 0, ordinary_down = 0;
  double copy = 0;
  friend bool operator==(const DeviceRates&, const DeviceRates&) = default;
};

/// Bytes of host memory that measure_device asks the budget for; it takes as many of the device.
inline constexpr std::int64_t kDeviceMeasuringBytes = std::int64_t{512} << 20;

/// Copies 256 MiB in each way a few times and takes the best. About two seconds.
/// @throws PlanError    the budget has no kDeviceMeasuringBytes.
/// @throws Interrupted  `stop` was set.  @throws OutOfDeviceMemory, CudaError
DeviceRates measure_device(DeviceId device, MemoryBudget& host, const StopFlag& stop);

}  // namespace synthoscope::cuda
