// SPDX-License-Identifier: MIT
// bench/kernels/device_jobs.hpp — what benchmarks of image kernels on a device are told to measure.
#pragma once
#include <vector>
#include "bench/kernels/kernel_jobs.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels {

struct DeviceJob {
  std::unique_ptr<Operation> operation;  ///< whose device code it is, or none
  std::unique_ptr<DeviceOperation> alone;
  DeviceOperation* there = nullptr;  ///< of either; null where there is no device code
  Extent3 extent;                    ///< of each result
  std::vector<PixelType> types;      ///< one for each result
};

/// Takes the job's "strategy" where it says one. @throws InvalidSpec
DeviceJob device_job(const Job& job);

}  // namespace synthoscope::kernels
